import Foundation
import Glibc
import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

@Suite final class StateDirectoryTests {
    private let root = "\(NSTemporaryDirectory())sonde-state-\(UUID().uuidString)"
    private var state: String { "\(root)/state" }
    private var random = SeededGenerator(seed: 1)

    init() throws {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: root)
    }

    private func refusal(_ path: String) -> ErrorCode? {
        do throws(SondeError) {
            try StateDirectory.require(path)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func aDirectoryThatIsMissingIsMadeForTheUserAlone() throws {
        #expect(refusal(state) == nil)
        var status = stat()
        #expect(stat(state, &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o700)
    }

    @Test func aDirectoryOfAnotherUserIsRefused() throws {
        mkdir(state, 0o700)
        guard chown(state, 4_242, 4_242) == 0 else { return }
        #expect(refusal(state) == .stateUnsafe)
    }

    @Test func aFolderOfAnotherUserInItIsRefused() throws {
        mkdir(state, 0o700)
        mkdir("\(state)/spool", 0o700)
        guard chown("\(state)/spool", 4_242, 4_242) == 0 else { return }
        #expect(refusal(state) == .stateUnsafe)
    }

    @Test(arguments: [(0o702, true), (0o1777, true), (0o770, false), (0o755, false)] as [(mode_t, Bool)])
    func whatOthersMayWriteToIsRefused(_ mode: mode_t, _ isRefused: Bool) throws {
        mkdir(state, 0o700)
        chmod(state, mode)
        #expect(refusal(state) == (isRefused ? .stateUnsafe : nil))
    }

    @Test func aGroupOfOthersMayNotWriteToIt() throws {
        mkdir(state, 0o700)
        guard chown(state, geteuid(), 4_242) == 0 else { return }
        chmod(state, 0o770)
        #expect(refusal(state) == .stateUnsafe)
        chmod(state, 0o750)
        #expect(refusal(state) == nil)
    }

    @Test(.timeLimit(.minutes(1))) func aPipeInThePlaceOfTheIdentityHoldsNobodyUp() throws {
        mkdir(state, 0o700)
        mkfifo("\(state)/agent-id", 0o600)
        let store = AgentIdentityStore(directory: state)
        let identity = try store.load(using: &random)
        #expect(try store.load(using: &random) == identity)
    }

    @Test(arguments: ["agent-id", "agent-id.new"])
    func aLinkInTheDirectoryLeadsNobodyToAnotherFile(_ name: String) throws {
        mkdir(state, 0o700)
        let victim = "\(root)/victim"
        try "precious".write(toFile: victim, atomically: false, encoding: .utf8)
        symlink(victim, "\(state)/\(name)")
        _ = try AgentIdentityStore(directory: state).load(using: &random)
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
    }

    @Test(arguments: [FileOpening.read, .update, .openOrCreate])
    func aPipeIsNoFile(_ opening: FileOpening) throws {
        mkfifo("\(root)/pipe", 0o600)
        #expect(throws: FileSystemError.self) { try PosixFileSystem().open("\(root)/pipe", opening) }
    }

    @Test(arguments: SimulatedFileSystem.PowerCut.allCases)
    func whatWasReplacedSurvivesAPowerCut(_ kept: SimulatedFileSystem.PowerCut) throws {
        let disk = SimulatedFileSystem(seed: 7)
        try disk.makeDirectory("/state")
        try disk.replace("file", in: "/state", with: [1, 2, 3])
        try disk.replace("file", in: "/state", with: [4, 5])
        disk.cutPower(keeping: kept)
        #expect(disk.contents(of: "/state/file") == [4, 5])
        #expect(disk.paths == ["/state/file"])
    }
}
