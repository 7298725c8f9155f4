import Glibc
import SondeDomain
import SondeTestKit
import Testing

@testable import SondeGateways

/// Which user may send which request, with real users: only as root.
@Suite(.enabled(if: geteuid() == 0)) struct ControlGroupTests {
    private static let group = "daemon"

    /// What another user, who is a member of `groups`, gets for each request; nil: it cannot connect.
    private func ask(_ bench: ControlBench, groups: String, _ requests: String...) throws -> [String]? {
        let script = """
            use IO::Socket::UNIX;
            $SIG{PIPE} = "IGNORE";
            my $socket = IO::Socket::UNIX->new(Peer => shift) or do { print "refused\\n"; exit };
            for my $request (@ARGV) {
                print $socket "{\\"request\\":\\"$request\\"}\\n"; $socket->flush;
                print scalar(<$socket>) // "closed\\n";
            }
            """
        let child = try TestProcess(
            "setpriv", ["--reuid=54321", "--regid=54321", groups, "perl", "-e", script, bench.path] + requests)
        child.wait()
        let lines = child.output.split(separator: "\n").map(String.init)
        return lines == ["refused"] ? nil : lines
    }

    private func bench(group: String? = Self.group, _ limits: ControlServer.Limits = .init()) throws -> ControlBench {
        let folder = SocketFolder()
        chmod(folder.path, 0o755)
        return try ControlBench(in: folder, limits: limits, group: group)
    }

    private var member: String {
        get throws { "--groups=\(try #require(HostGroup.number(of: Self.group)))" }
    }

    @Test func aMemberMayReadAndChangeNothing() throws {
        let bench = try bench()
        #expect(SocketFolder.mode(bench.path) == S_IFSOCK | 0o660)
        let answers = try #require(try ask(bench, groups: member, "ping", "change", "version"))
        try #require(answers.count == 3)
        #expect(answers[0].hasPrefix(#"{"ok":true,"ping""#))
        #expect(answers[1].contains("SND-CTL013"))
        #expect(answers[1].contains("'change' is for root and user 0, whose agent it is"))
        #expect(answers[2].hasPrefix(#"{"ok":true,"version""#))
    }

    @Test func whoIsNoMemberCannotConnect() throws {
        #expect(try ask(try bench(), groups: "--clear-groups", "ping") == nil)
    }

    @Test func whoIsNoMemberIsRefusedEvenWhereTheFileLetsItIn() throws {
        let bench = try bench()
        chmod(bench.path, 0o666)
        #expect(try ask(bench, groups: "--clear-groups", "ping")?.first?.contains("SND-CTL008") == true)
    }

    @Test func withoutAGroupAMemberOfNothingIsAnswered() throws {
        let bench = try bench(group: nil)
        #expect(try ask(bench, groups: member, "ping") == nil)
        chmod(bench.path, 0o666)
        #expect(try ask(bench, groups: member, "ping")?.first?.contains("SND-CTL008") == true)
    }

    @Test func rootMayChangeThroughTheSameSocket() throws {
        let bench = try bench()
        #expect(try bench.client().ask("change") == #"{"ok":true,"change":"done"}"#)
    }

    @Test func membersLeaveRoomForTheOwner() throws {
        var limits = ControlServer.Limits()
        (limits.connections, limits.reserved) = (3, 2)
        let bench = try bench(limits)
        let owner = try bench.client()
        #expect(try owner.ask("ping") != nil)
        #expect(try ask(bench, groups: member, "ping")?.first?.contains("SND-CTL007") == true)
        #expect(try bench.client().ask("ping")?.contains("pid") == true)
    }

    @Test func aGroupThatIsNotThereIsAWarningAndTheOwnerIsAnswered() throws {
        let bench = try bench(group: "no such group")
        #expect(bench.log.codes == [.controlGroupUnusable])
        #expect(SocketFolder.mode(bench.path) == S_IFSOCK | 0o600)
        #expect(try bench.client().ask("ping") != nil)
    }

    @Test func aDirectoryThatIsMadeForTheSocketIsOpenToMembersToo() throws {
        let folder = SocketFolder()
        let group = try #require(HostGroup.number(of: Self.group))
        let listener = try ControlListener(path: "\(folder.path)/run/s.sock")
        try listener.admit(group, named: Self.group)
        #expect(SocketFolder.mode("\(folder.path)/run") == S_IFDIR | 0o750)
        #expect(SocketFolder.mode("\(folder.path)/run/s.sock") == S_IFSOCK | 0o660)
        var status = stat()
        #expect(stat("\(folder.path)/run/s.sock", &status) == 0 && status.st_gid == group)
        listener.removeFile()
    }

    @Test func aLinkInThePlaceOfTheSocketIsNotFollowed() throws {
        let folder = SocketFolder()
        let listener = try ControlListener(path: folder.socket)
        let victim = "\(folder.path)/victim"
        close(open(victim, O_CREAT | O_WRONLY, 0o600))
        unlink(folder.socket)
        symlink(victim, folder.socket)
        #expect(throws: SondeError.self) { try listener.admit(1, named: Self.group) }
        #expect(SocketFolder.mode(victim) == S_IFREG | 0o600)
    }
}
