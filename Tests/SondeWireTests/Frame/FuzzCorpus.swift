import Foundation

/// The inputs that fuzzing has found, one per line in hexadecimal.
enum FuzzCorpus {
    /// The inputs of a target of Tests/Fuzz.
    static func inputs(of target: String) throws -> [[UInt8]] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: tests.appending(path: "Fuzz/Corpus/\(target).hex"), encoding: .utf8)
        return text.split(separator: "\n").map { line in
            let digits = Array(line.utf8)
            return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
                UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
            }
        }
    }
}
