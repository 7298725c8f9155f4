import Glibc
public import SondeDomain

/// The README of a plugin's folder, to be held against its descriptor.
public struct PluginReadme {
    private let text: String
    private let sample: String

    /// Reads the files of the folder above the one of the test file; what is not there is empty.
    public init(testFile: String = #filePath) {
        let folder = "/" + testFile.split(separator: "/").dropLast(2).joined(separator: "/")
        text = Self.contents(of: folder + "/README.md")
        sample = Self.contents(of: folder + "/sample.yaml")
    }

    /// Whether it shows `sample.yaml` as it is.
    public var showsSample: Bool {
        let bytes = Array(text.utf8)
        let shown = Array("```yaml\n\(sample)```".utf8)
        return !sample.isEmpty && bytes.indices.contains { bytes[$0...].starts(with: shown) }
    }

    /// The default of an option that it documents, in a row `| key | type | default |`; nil without such a row.
    public func defaultText(of option: String) -> String? {
        let cells = rows("| `\(option)` |").first ?? []
        return cells.count > 2 ? cells[2] : nil
    }

    /// The name, kind and unit of every metric in its tables.
    public var metrics: [[String]] { rows("| `sonde.").map { Array($0.prefix(3)) } }

    /// Every code in its table of errors.
    public var errorCodes: [String] { rows("| SND-").compactMap(\.first) }

    /// The cells of the rows that begin with `start`.
    private func rows(_ start: String) -> [[String]] {
        text.split(separator: "\n").filter { $0.hasPrefix(start) }.map { row in
            row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().map { cell in
                String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
        }
    }

    private static func contents(of path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&block, 1, block.count, file), count > 0 { bytes += block.prefix(count) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension PluginDescriptor {
    /// The metrics as a README has them: name, kind, unit.
    public var documentedMetrics: [[String]] { metrics.map { ["`\($0.name)`", $0.kind.name, $0.unit] } }
}

extension OptionDefinition {
    /// The default as a README has it.
    public var documentedDefault: String { defaultText.map { "`\($0)`" } ?? "" }
}
