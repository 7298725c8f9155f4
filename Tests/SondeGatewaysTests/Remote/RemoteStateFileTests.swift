import Foundation
import SondeDomain
import SondeEngine
import Testing

@testable import SondeGateways

@Suite final class RemoteStateFileTests {
    private let root = "\(NSTemporaryDirectory())sonde-remote-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(
            atPath: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: root)
    }

    private static func whole() -> RemoteState {
        var state = RemoteState()
        state.begin(RemoteLayer(serial: 7, text: Array("serial: 7\n".utf8), etag: "\"a\""), failing: [])
        state.succeed()
        state.begin(
            RemoteLayer(serial: .max, text: Array("serial: 8\n{\"\u{e9}\"\n".utf8), etag: ""),
            failing: ["central SND-HTTP401"])
        state.probation?.starts = 2
        state.probation?.reach = .instances(["central", "local"])
        return state
    }

    private static func failed() -> RemoteState {
        var state = whole()
        state.takeBack(because: "a \"reason\"\nof two lines")
        return state
    }

    @Test(arguments: [RemoteState(), whole(), failed()])
    func whatIsKeptIsReadBack(_ state: RemoteState) throws {
        let file = try RemoteStateFile(openingIn: root)
        #expect(try file.load() == RemoteState())
        try file.save(state)
        #expect(try file.load() == state)
        #expect(try RemoteStateFile(readingIn: root).load() == state)
    }

    @Test func nothingThatIsDamagedOrCutIsUsed() {
        let bytes = RemoteStateFile.bytes(of: Self.whole())
        #expect(RemoteStateFile.state(in: bytes) == Self.whole())
        for length in 0..<bytes.count { #expect(RemoteStateFile.state(in: Array(bytes.prefix(length))) == nil) }
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 0x01
            #expect(RemoteStateFile.state(in: damaged) == nil, "byte \(index)")
        }
        #expect(RemoteStateFile.state(in: bytes + [0x0a]) == nil)
    }

    @Test func moreStartsThanACrashLoopHasAreOne() throws {
        var state = Self.whole()
        state.probation?.starts = .max
        var read = try #require(RemoteStateFile.state(in: RemoteStateFile.bytes(of: state)))
        read.start()
        #expect(read.probation == nil)
        #expect(read.failed?.serial == .max)
    }

    @Test func aDamagedFileIsReported() throws {
        let file = try RemoteStateFile(openingIn: root)
        try Data("sonde".utf8).write(to: URL(filePath: "\(root)/remote/state"))
        #expect { try file.load() } throws: { ($0 as? SondeError)?.code == .remoteStateUnusable }
    }

    @Test func onlyOneAgentHasIt() throws {
        let file = try RemoteStateFile(openingIn: root)
        #expect { try RemoteStateFile(openingIn: root) } throws: {
            ($0 as? SondeError)?.message.contains("another agent") == true
        }
        try file.save(Self.whole())
        #expect(try RemoteStateFile(readingIn: root).load() == Self.whole())
    }
}
