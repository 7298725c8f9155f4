import Foundation
import SondeTestKit

/// The inputs that fuzzing has found, one per line in hexadecimal.
enum FuzzCorpus {
    /// The inputs of a target of Tests/Fuzz.
    static func inputs(of target: String) throws -> [[UInt8]] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return HexadecimalLines.decode(
            try String(contentsOf: tests.appending(path: "Fuzz/Corpus/\(target).hex"), encoding: .utf8)
        )
    }
}
