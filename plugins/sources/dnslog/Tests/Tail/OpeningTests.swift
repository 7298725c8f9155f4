import Glibc
import SondeDomain
import Testing

@testable import DNSLogPlugin

/// What can be at a path, and what is read of it.
@Suite struct OpeningTests {
    @Test func aFolderADeviceAndASocketAreRefusedWithoutWaiting() throws {
        let bench = try TailBench(["folder", "socket"])
        mkdir(bench.folder.file("folder"), 0o755)
        #expect(mknod(bench.folder.file("socket"), S_IFSOCK | 0o644, 0) == 0)
        bench.settings.paths.append("/dev/zero")
        bench.kill()
        bench.start()
        #expect(bench.turn() == [])
        #expect(bench.refusals == [.directory, .socket, .device])
        #expect(bench.turn() == [])
        #expect(bench.refusals.count == 3, "each is said once")
    }

    @Test func whatIsRefusedIsReadWhenItHasBecomeAFile() throws {
        let bench = try TailBench()
        mkdir(bench.folder.file("q.log"), 0o755)
        bench.start()
        #expect(bench.turn() == [])
        rmdir(bench.folder.file("q.log"))
        try bench.folder.append(lines(1...1))
        #expect(bench.turn() == texts(1...1))
    }

    @Test(.enabled(if: geteuid() == 0, "wants root, to make a link for another user"))
    func aLinkOfSomebodyElseToAFileThatIsNotTheirsIsRefused() throws {
        let bench = try TailBench()
        try bench.folder.append("secret\n", to: "shadow")
        try bench.folder.link("q.log", to: bench.folder.file("shadow"))
        #expect(lchown(bench.folder.file("q.log"), 65_534, 65_534) == 0)
        bench.start()
        #expect(bench.turn() == [])
        #expect(bench.refusals == [.link])
    }

    @Test(.enabled(if: geteuid() == 0, "wants root, to make a link for another user"))
    func aLinkOfSomebodyElseInAChainIsRefusedToo() throws {
        let bench = try TailBench()
        try bench.folder.append("secret\n", to: "shadow")
        try bench.folder.link("middle", to: bench.folder.file("shadow"))
        #expect(lchown(bench.folder.file("middle"), 65_534, 65_534) == 0)
        try bench.folder.link("q.log", to: "middle")
        bench.start()
        #expect(bench.turn() == [])
        #expect(bench.refusals == [.link])
    }

    @Test(.enabled(if: geteuid() == 0, "wants root, to make a link for another user"))
    func aLinkOfWhoeverOwnsTheFileIsFollowed() throws {
        let bench = try TailBench()
        try bench.folder.append(lines(1...1), to: "theirs")
        try bench.folder.link("q.log", to: "theirs")
        for name in ["theirs", "q.log"] { #expect(lchown(bench.folder.file(name), 65_534, 65_534) == 0) }
        bench.start()
        #expect(bench.turn() == texts(1...1))
    }

    @Test(.enabled(if: geteuid() == 0, "wants root, to make a link for another user"))
    func theLastFileIsReadToItsEndWhenALinkTakesItsName() throws {
        let bench = try TailBench.started(lines(1...1))
        _ = bench.turn()
        try bench.folder.append("secret\n", to: "shadow")
        try bench.folder.append(lines(2...2))
        try bench.folder.move("q.log", to: "q.log.1")
        try bench.folder.link("q.log", to: "shadow")
        #expect(lchown(bench.folder.file("q.log"), 65_534, 65_534) == 0)
        #expect(bench.turn() == texts(2...2))
        #expect(bench.refusals == [.link])
    }

    @Test func noLinkIsFollowedWhereThePolicySaysSo() throws {
        let bench = try TailBench { $0.links = .refuse }
        try bench.folder.append("other\n", to: "other")
        try bench.folder.link("q.log", to: "other")
        bench.start()
        #expect(bench.turn() == [])
        #expect(bench.refusals == [.link])
    }

    @Test func linksInACircleAreRefused() throws {
        let bench = try TailBench()
        try bench.folder.link("q.log", to: "other")
        try bench.folder.link("other", to: "q.log")
        bench.start()
        #expect(bench.turn() == [])
        #expect(bench.refusals == [.system(ELOOP)])
    }

    @Test func aRotatedNameThatIsALinkIsNotFollowed() throws {
        let bench = try TailBench.started(lines(1...1))
        _ = bench.turn()
        try bench.folder.append("secret\n", to: "shadow")
        try bench.folder.link("q.log.1", to: "shadow")
        try bench.folder.move("q.log", to: "q.log.2")
        try bench.folder.append(lines(2...2))
        #expect(bench.turn() == texts(2...2))
    }
}
