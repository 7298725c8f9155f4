/// Spells the result of a plugin's test as JUnit's XML, which continuous integration reads.
public struct JUnitView {
    private let state: PluginTestState

    /// A view of `state`.
    public init(_ state: PluginTestState) {
        self.state = state
    }

    /// The document.
    public var text: String {
        let counts =
            "tests=\"\(state.rows.count)\" failures=\"\(state.count(.fail))\" errors=\"0\" "
            + "skipped=\"\(state.count(.skipped))\""
        let name = Self.escaped("sonde plugins test \(state.plugin)")
        let time = Self.seconds(state.rows.reduce(0) { $0 + $1.milliseconds })
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<testsuites \(counts) time=\"\(time)\">",
            "  <testsuite name=\"\(name)\" \(counts) time=\"\(time)\">",
        ]
        for row in state.rows { lines += testCase(row) }
        return (lines + ["  </testsuite>", "</testsuites>"]).joined(separator: "\n") + "\n"
    }

    private func testCase(_ row: PluginTestState.Row) -> [String] {
        let plugin = Self.escaped("sonde.plugin.\(state.plugin)")
        let head =
            "    <testcase classname=\"\(plugin)\" name=\"\(row.name)\" time=\"\(Self.seconds(row.milliseconds))\""
        switch row.result {
        case .pass: return [head + "/>"]
        case .skipped:
            return [head + ">", "      <skipped message=\"\(Self.escaped(row.seen))\"/>", "    </testcase>"]
        case .fail:
            let body = Self.escaped("expected: \(row.expected)\nseen: \(row.seen)\nto do: \(row.advice)")
            return [
                head + ">", "      <failure message=\"\(Self.escaped(row.seen))\">\(body)</failure>", "    </testcase>",
            ]
        }
    }

    private static func seconds(_ milliseconds: Int64) -> String {
        let thousandths = "\(milliseconds % 1_000)"
        return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - thousandths.count) + thousandths
    }

    /// Text for content and attributes; what XML 1.0 cannot hold at all becomes U+FFFD.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
