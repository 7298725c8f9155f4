import Foundation
import Testing

/// Each library costs resident memory in every process that loads it, so who links what is part of the design.
@Suite struct LinkedLibrariesTests {
    @Test(arguments: [
        "Foundation", "curl", "crypto", "ssl", "microhttpd", "pcap", "rdkafka", "_StringProcessing", "_RegexParser",
        "RegexBuilder",
        "ArgumentParser",
    ])
    func theDaemonDoesNotLink(_ library: String) throws {
        let needed = try ELFFile(Repository.buildFolder.appending(path: "sonded")).neededLibraries
        #expect(needed.filter { $0.contains(library) } == [])
    }

    @Test func theDaemonHasTheSwiftRuntimeInsideUnlessItsPluginsAreObjects() throws {
        let needed = try ELFFile(Repository.buildFolder.appending(path: "sonded")).neededLibraries
        let isShared = ProcessInfo.processInfo.environment["SONDE_FLAVOUR"] == "shared"
        #expect(needed.contains("libswiftCore.so") == isShared, "\(needed)")
    }

    @Test func theCommandBringsItsOwnSwiftRuntime() throws {
        let needed = try ELFFile(Repository.buildFolder.appending(path: "sonde")).neededLibraries
        #expect(needed.filter { $0.contains("swift") || $0.contains("Foundation") } == [])
        #expect(needed.contains("libc.so.6"))
    }

    @Test(arguments: Repository.pluginFolders)
    func aPluginLinksNeitherFoundationNorStringProcessing(_ folder: String) throws {
        let name = URL(filePath: folder).lastPathComponent
        let needed = try ELFFile(Repository.buildFolder.appending(path: "lib\(name).so")).neededLibraries
        #expect(needed.contains("libswiftCore.so"))
        #expect(needed.filter { $0.contains("Foundation") || $0.contains("_StringProcessing") } == [])
    }

    @Test(arguments: Repository.pluginFolders)
    func aPluginFindsTheRuntimeBesideItself(_ folder: String) throws {
        let name = URL(filePath: folder).lastPathComponent
        let paths = try ELFFile(Repository.buildFolder.appending(path: "lib\(name).so")).searchPaths
        #expect(paths.joined(separator: ":").split(separator: ":").contains("$ORIGIN/../runtime"))
    }
}
