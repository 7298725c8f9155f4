internal import SondeDomain
public import SondeEngine
public import SondeFormats

/// Findings for people, what is broken first, and as JSON.
public struct DiagnosisView {
    private static let indent = "         "

    private let findings: [Finding]
    private let columns: Int

    /// A view of findings on a terminal that is so wide.
    public init(_ findings: [Finding], columns: Int) {
        self.findings = findings
        self.columns = max(60, columns)
    }

    /// The lines from top to bottom.
    public var lines: [StyledLine] {
        let order: [Finding.Severity] = [.problem, .warning, .unknown, .good]
        return order.flatMap { severity in
            findings.filter { $0.severity == severity }.flatMap(lines)
        } + [StyledLine(), StyledLine(summary, .strong)]
    }

    private func lines(_ finding: Finding) -> [StyledLine] {
        let word = finding.severity.word
        let subject = [finding.area.rawValue, finding.component].compactMap(\.self).joined(separator: " ")
        let code = finding.code.map { " (\($0))" } ?? ""
        let text = Paragraph.lines("\(subject): \(finding.message)\(code)", columns: columns - Self.indent.count)
        return text.enumerated().map { index, part in
            guard index == 0 else { return StyledLine(Self.indent + part) }
            var line = StyledLine(word + Self.indent.dropFirst(word.count), finding.severity.style)
            line.append(part)
            return line
        } + finding.fixes.flatMap(lines)
    }

    /// What is to be typed or written stands on lines of its own, whole, so that it can be copied.
    private func lines(_ fix: Finding.Fix) -> [StyledLine] {
        switch fix.kind {
        case .advice:
            fix.lines.flatMap { Paragraph.lines($0, columns: columns - Self.indent.count) }
                .map { StyledLine(Self.indent + $0, .faint) }
        case .command: fix.lines.map { StyledLine(Self.indent + "$ " + HarmlessText.line($0)) }
        case .dropIn: [StyledLine(Self.indent + "systemctl edit sonde:", .faint)] + block(fix.lines)
        case .yaml: [StyledLine(Self.indent + "in the configuration:", .faint)] + block(fix.lines)
        }
    }

    private func block(_ lines: [String]) -> [StyledLine] {
        lines.map { StyledLine(Self.indent + "  " + HarmlessText.line($0)) }
    }

    private var summary: String {
        let counts = [Finding.Severity.problem, .warning].map { severity in
            let count = findings.count { $0.severity == severity }
            return "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
        }
        return counts.joined(separator: ", ")
    }

    /// `sonde.diagnosis/1`.
    public var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("schema", "sonde.diagnosis/1")
            json.member("findings") { json in
                json.array { json in
                    for finding in findings { write(finding, to: &json) }
                }
            }
        }
        return json.bytes
    }

    private func write(_ finding: Finding, to json: inout JSONWriter) {
        json.object { json in
            json.member("area", finding.area.rawValue)
            json.member("severity", finding.severity.rawValue)
            json.member("component", finding.component)
            json.member("code", finding.code.map { "\($0)" })
            json.member("message", finding.message)
            json.member("fixes") { json in
                json.array { json in
                    for fix in finding.fixes {
                        json.object { json in
                            json.member("kind", fix.kind.rawValue)
                            json.member("lines", fix.lines)
                        }
                    }
                }
            }
        }
    }
}

extension Finding.Severity {
    fileprivate var word: String {
        switch self {
        case .good: "ok"
        case .unknown: "unknown"
        case .warning: "warning"
        case .problem: "PROBLEM"
        }
    }

    fileprivate var style: StyledLine.Style {
        switch self {
        case .good, .unknown: .faint
        case .warning: .warning
        case .problem: .strong
        }
    }
}
