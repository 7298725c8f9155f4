import CSondePlugin
import Foundation
import SondeDomain
import SondeEngine
import SondePluginKit
import Testing

@testable import SondeGateways

/// Plugins of the package itself, as the build folder holds them beside the test binary.
struct SwiftPluginTests {
    private static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().path
    private static let plugin = "\(folder)/libprocnet.so"
    private static let isBuilt = FileManager.default.fileExists(atPath: plugin)
    private static let names = ["procnet", "stdout", "file", "http"].filter { name in
        let object = try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/lib\(name).so"))
        return object?.range(of: Data("sonde_plugin_\(name)\0".utf8)) != nil
    }

    @Test(.enabled(if: isBuilt, "the products are not built"))
    func carriesTheRecordOfThisCompiler() throws {
        let file = try PluginFile(opening: Self.plugin)
        let content = try ELFFile(file.bytes).content(ofSection: PluginVersion.section, limit: 4_096)
        #expect(try PluginVersion(try #require(content)).runtime() == SwiftRuntime.name)
    }

    @Test(.enabled(if: isBuilt, "the products are not built"))
    func isRefusedWhenAnotherCompilerMadeIt() throws {
        let workshop = try PluginWorkshop()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: Self.plugin))
        // The record and not some other mention of the compiler: its four numbers come first.
        let head = Data([64, 0, 0, 0, 1, 0, 0, 0, UInt8(SONDE_ABI_MINOR), 0, 0, 0, 0, 0, 0, 0])
        let record = try #require(bytes.range(of: head + Data(SwiftRuntime.name.utf8)))
        bytes.replaceSubrange(record, with: head + Data("swift-5.9.2".utf8))
        try bytes.write(to: URL(fileURLWithPath: workshop.path("procnet.so")))
        let error = try #require(workshop.refusal(of: "procnet"))
        #expect(error.code == .pluginRuntimeDiffers)
        #expect(error.message.contains("swift-5.9.2"))
        #expect(error.message.contains(SwiftRuntime.name))
    }

    @Test(.enabled(if: !names.isEmpty, "the plugins are not built"), arguments: names)
    func loadsFromTheBuildFolder(_ name: String) throws {
        let workshop = try PluginWorkshop()
        let plugin = try workshop.catalog([Self.folder]).plugin(named: name)
        #expect(plugin.descriptor.name == name)
        #expect(plugin.descriptor.kind == (name == "procnet" ? .source : .sink))
        #expect(plugin.path.hasSuffix("/lib\(name).so"))
    }

    @Test(.enabled(if: names.contains("procnet"), "the plugin procnet is not built"))
    func collectsFromTheRunningKernel() throws {
        let workshop = try PluginWorkshop()
        let services = RecordingServices()
        let source = try workshop.catalog([Self.folder]).plugin(named: "procnet")
            .makeSource(id: "kernel", options: OptionValues(["proc": .string("/proc")]), services: services)
        try source.start()
        #expect(try source.collect(.test()) == .completed)
        source.close()
        let commit = try #require(services.commits.first)
        #expect(commit.rejections == [])
        #expect(!commit.samples.isEmpty)
        #expect(commit.samples.allSatisfy { (1...UInt64(services.series.count)).contains($0.series) })
        #expect(services.series.contains { $0.attribute("network.interface.name") == "lo" })
    }
}

extension SeriesSpecification {
    fileprivate func attribute(_ name: String) -> String? {
        attributes.first { $0.name == name }?.value
    }
}
