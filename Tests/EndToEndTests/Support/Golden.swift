import Foundation
import Testing

/// Texts that are kept beside the tests and compared byte for byte.
enum Golden {
    private static let folder = "Tests/EndToEndTests/Golden"

    /// Compares `text` with the golden file, or rewrites the file when SONDE_UPDATE_GOLDEN is set.
    static func expect(
        _ text: String,
        equals name: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        guard ProcessInfo.processInfo.environment["SONDE_UPDATE_GOLDEN"] == nil else {
            return try text.write(toFile: Checkout.path("\(folder)/\(name)"), atomically: true, encoding: .utf8)
        }
        let golden = try Checkout.text("\(folder)/\(name)")
        guard golden != text else { return }
        Issue.record("\(name) differs, first here: \(firstDifference(golden, text))", sourceLocation: sourceLocation)
    }

    private static func firstDifference(_ golden: String, _ text: String) -> String {
        let (old, new) = (golden.split(separator: "\n"), text.split(separator: "\n"))
        let line = zip(old, new).enumerated().first { $1.0 != $1.1 }?.offset ?? min(old.count, new.count)
        let (was, now) = (line < old.count ? old[line] : "the end", line < new.count ? new[line] : "the end")
        return "line \(line + 1)\n  golden: \(was)\n  now:    \(now)"
    }
}
