import Foundation
import SondeDomain
import SondeGateways
import SondeTestKit
import Testing

@Suite final class AgentIdentityStoreTests {
    private let root: URL
    private var random = SeededGenerator(seed: 1)

    private var state: URL { root.appendingPathComponent("state") }
    private var machine: URL { root.appendingPathComponent("machine-id") }
    private var file: URL { state.appendingPathComponent("agent-id") }

    init() throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("sonde-identity-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try write("0123456789abcdef\n", to: machine)
    }

    deinit {
        try? FileManager.default.removeItem(at: root)
    }

    private func write(_ text: String, to url: URL) throws {
        try Data(text.utf8).write(to: url)
    }

    private func load() throws -> String {
        try AgentIdentityStore(directory: state.path, machineIDPath: machine.path).load(using: &random)
    }

    @Test func anIdentityIsMadeOnceAndKept() throws {
        let first = try load()
        #expect(UUIDText.isValid(first))
        #expect(try load() == first)
        #expect(try String(contentsOf: file, encoding: .utf8) == "\(first)\n0123456789abcdef\n")
    }

    @Test func theFileAndItsDirectoryAreTheUsersAlone() throws {
        _ = try load()
        let modes = try [state, file].map {
            try FileManager.default.attributesOfItem(atPath: $0.path)[.posixPermissions] as? Int
        }
        #expect(modes == [0o700, 0o600])
        #expect(try FileManager.default.contentsOfDirectory(atPath: state.path) == ["agent-id"])
    }

    @Test func aClonedMachineGetsAnIdentityOfItsOwn() throws {
        let first = try load()
        try write("fedcba9876543210\n", to: machine)
        let second = try load()
        #expect(second != first)
        #expect(try load() == second)
    }

    @Test(arguments: [
        "", "\n", "not an identity\n0123456789abcdef\n", "00000000-0000-4000-8000-00000",
        "00000000-0000-4000-8000-000000000000\n", "00000000-0000-4000-8000-000000000000\n0123\n",
        "00000000-0000-4000-8000-000000000000\n0123456789abcdef\nmore\n", String(repeating: "x", count: 4_096),
    ])
    func aTornFileMeansANewIdentity(text: String) throws {
        try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
        try write(text, to: file)
        let identity = try load()
        #expect(UUIDText.isValid(identity))
        #expect(identity != "00000000-0000-4000-8000-000000000000")
        #expect(try load() == identity)
    }

    @Test func bytesThatAreNotTextMeanANewIdentity() throws {
        try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
        try Data([0xff, 0xfe, 0x00, 0x0a, 0x80]).write(to: file)
        let identity = try load()
        #expect(UUIDText.isValid(identity))
        #expect(try load() == identity)
    }

    @Test func aMachineWithoutAnIdentityKeepsItsOwnAllTheSame() throws {
        try FileManager.default.removeItem(at: machine)
        let first = try load()
        #expect(try load() == first)
    }

    @Test func aDirectoryThatCannotBeMadeIsAnError() throws {
        let store = AgentIdentityStore(
            directory: root.appendingPathComponent("missing/state").path, machineIDPath: machine.path)
        let error = #expect(throws: SondeError.self) { try store.load(using: &random) }
        #expect(error?.code == .stateUnavailable)
    }

    @Test func aFileInPlaceOfTheDirectoryIsAnError() throws {
        try write("", to: state)
        let error = #expect(throws: SondeError.self) { try load() }
        #expect(error?.code == .stateUnavailable)
        #expect(error?.message.contains(state.path) ?? false)
    }
}
