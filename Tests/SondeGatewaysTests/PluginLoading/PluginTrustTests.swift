import Foundation
import SondeDomain
import SondeEngine
import Testing

@testable import SondeGateways

struct PluginTrustTests {
    private static let isRoot = geteuid() == 0

    @Test func refusesAFileThatEverybodyCanWrite() throws {
        let workshop = try PluginWorkshop()
        chmod(try workshop.compile("variant"), 0o757)
        let error = try #require(workshop.refusal(of: "variant"))
        #expect(error.code == .pluginFileUntrusted)
        #expect(error.message.contains("every user can write"))
        #expect(!workshop.hasMark)
    }

    @Test func refusesADirectoryThatEverybodyCanWrite() throws {
        let workshop = try PluginWorkshop()
        let folder = try workshop.folder("open/deep")
        try workshop.compile("variant", in: folder)
        chmod(workshop.path("open"), 0o777)
        let catalog = workshop.catalog([folder])
        let error = #expect(throws: SondeError.self) { try catalog.plugin(named: "variant") }
        #expect(error?.code == .pluginDirectoryUntrusted)
        #expect(error?.message.contains("\(workshop.path("open")): every user can write") == true)
        #expect(!workshop.hasMark)
    }

    @Test func judgesTheFileBehindASymbolicLink() throws {
        let workshop = try PluginWorkshop()
        let open = try workshop.folder("open")
        let closed = try workshop.folder("closed")
        try workshop.compile("variant", in: open)
        chmod(open, 0o777)
        symlink("\(open)/variant.so", "\(closed)/variant.so")
        let error = #expect(throws: SondeError.self) { try workshop.catalog([closed]).plugin(named: "variant") }
        #expect(error?.code == .pluginDirectoryUntrusted)
    }

    @Test func refusesAFileOfNeitherRootNorTheUser() throws {
        let workshop = try PluginWorkshop()
        try workshop.compile("variant")
        // For another user than this one, unless this one is root, which all users trust.
        try #require(chownIfRoot(workshop.path("variant.so"), 4_242))
        let trust = TrustRule(user: Self.isRoot ? 0 : geteuid() + 1, group: getegid())
        let error = #expect(throws: SondeError.self) { try workshop.catalog(trust: trust).plugin(named: "variant") }
        #expect(error?.code == .pluginFileUntrusted)
        #expect(error?.message.contains("neither root nor") == true)
    }

    @Test(.enabled(if: isRoot, "only root can give a file to another group"))
    func refusesAFileThatAForeignGroupCanWrite() throws {
        let workshop = try PluginWorkshop()
        let path = try workshop.compile("variant")
        chown(path, 0, 4_242)
        chmod(path, 0o775)
        let error = try #require(workshop.refusal(of: "variant"))
        #expect(error.code == .pluginFileUntrusted)
        #expect(error.message.contains("group 4242"))
    }

    @Test(.enabled(if: isRoot, "only root can give a directory away"))
    func refusesADirectoryOfSomebodyElse() throws {
        let workshop = try PluginWorkshop()
        let folder = try workshop.folder("theirs")
        try workshop.compile("variant", in: folder)
        chown(folder, 4_242, 4_242)
        let error = #expect(throws: SondeError.self) { try workshop.catalog([folder]).plugin(named: "variant") }
        #expect(error?.code == .pluginDirectoryUntrusted)
    }

    private func chownIfRoot(_ path: String, _ owner: uid_t) -> Bool {
        Self.isRoot ? chown(path, owner, 0) == 0 : true
    }
}
