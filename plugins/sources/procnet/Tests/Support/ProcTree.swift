import Foundation
import SondeTestKit

@testable import ProcNetPlugin

/// A copy of `/proc` in its own directory, which is removed with this value.
final class ProcTree {
    let root: String

    /// Copies a fixture, or makes an empty tree.
    init(copying fixture: String? = nil) throws {
        root = FileManager.default.temporaryDirectory.appending(path: "procnet-\(UUID().uuidString)").path
        if let fixture {
            try FileManager.default.copyItem(atPath: Self.fixture(fixture), toPath: root)
        } else {
            try FileManager.default.createDirectory(atPath: root + "/net", withIntermediateDirectories: true)
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: root)
    }

    /// The path of the checked-in tree of that name.
    static func fixture(_ name: String) -> String {
        directory + "/Fixtures/\(name)/proc"
    }

    static let fixtures = ["linux-6.18", "linux-5.10", "container", "hostile"]

    static let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path

    func write(_ table: ProcTable, _ text: String) throws {
        try write(table, Array(text.utf8))
    }

    func write(_ table: ProcTable, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: path(table)))
    }

    func read(_ table: ProcTable) throws -> String {
        try String(contentsOfFile: path(table), encoding: .utf8)
    }

    /// Writes any file of the tree.
    func write(_ name: String, _ text: String) throws {
        let file = URL(filePath: "\(root)/\(name)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func remove(_ table: ProcTable) throws {
        try FileManager.default.removeItem(atPath: path(table))
    }

    func path(_ table: ProcTable) -> String { "\(root)/\(table.path)" }

    /// An instance that reads this tree, started.
    func started(
        tables: [ProcTable] = [], counters: [String] = ["all"], checkpoint: [UInt8]? = nil
    ) throws -> PluginHarness {
        try Self.started(root, tables: tables, counters: counters, checkpoint: checkpoint)
    }

    static func started(
        _ proc: String,
        tables: [ProcTable] = [],
        counters: [String] = ["all"],
        checkpoint: [UInt8]? = nil
    ) throws -> PluginHarness {
        let harness = try PluginHarness(
            sonde_plugin_procnet(),
            options: [
                "proc": .string(proc), "tables": .list(tables.map(\.rawValue)), "counters": .list(counters),
            ]
        )
        harness.host.checkpoint = checkpoint
        try harness.start()
        return harness
    }
}
