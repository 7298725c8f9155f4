import Foundation
import Testing

@testable import SondeGateways

@Suite struct PluginSearchPathTests {
    private let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    @Test func whatLiesBesideTheProgramIsTheAgentsOwn() {
        #expect(PluginSearchPath.standard().isOwn(program.appendingPathComponent("libfile.so").path))
    }

    @Test func whatLiesElsewhereIsNotTheAgentsOwnAlsoWhereItsDirectoryIsSearched() throws {
        let workshop = try PluginWorkshop()
        let file = try workshop.compile("append")
        #expect(!PluginSearchPath.standard(given: [workshop.directory]).isOwn(file))
        #expect(!PluginSearchPath.standard().configured([workshop.directory]).isOwn(file))
        #expect(PluginSearchPath([workshop.directory]).isOwn(file), "a path of exactly these directories")
    }

    @Test func aLinkIsWhereItLeads() throws {
        let workshop = try PluginWorkshop()
        let link = workshop.path("file.so")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: program.appendingPathComponent("libfile.so").path)
        #expect(PluginSearchPath.standard(given: [workshop.directory]).isOwn(link))
    }
}
