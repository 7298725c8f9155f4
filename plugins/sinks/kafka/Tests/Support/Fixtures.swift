import Foundation

/// Files beside the tests.
enum Fixtures {
    static let directory = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures").path

    static func text(_ name: String) throws -> String {
        try contents(of: "\(directory)/\(name)")
    }

    /// What a file holds.
    static func contents(of path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
    }
}
