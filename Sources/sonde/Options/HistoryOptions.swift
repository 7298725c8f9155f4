internal import ArgumentParser
internal import SondeDomain

/// Which part of the history is wanted.
struct HistoryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A metric, like bandwidth.receive, or the first word of several: bandwidth, connections, dns, agent.",
            valueName: "metric"))
    var metric: String?
    @Option(help: ArgumentHelp("Only one interface, state, code or sink.", valueName: "name"))
    var member: String?
    @Option(help: ArgumentHelp("What one source has read.", valueName: "id"))
    var source: String?
    // Unconditional: '-1d' is reported as no span, not as a missing value.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How far back: 1h, 6h, 24h, 7d, 30d, or any other span.", valueName: "span"))
    var range: String?
    @Option(help: ArgumentHelp("Where it begins, like 2026-01-01T00:00:00Z.", valueName: "time"))
    var from: String?
    @Option(help: ArgumentHelp("Where it ends; now when not given.", valueName: "time"))
    var to: String?
    @Option(help: ArgumentHelp("How long a point is at least.", valueName: "span"))
    var resolution: String?

    func validate() throws {
        for (name, text) in [("--range", range), ("--resolution", resolution)] {
            guard let text, (try? DurationText.parse(text)) == nil else { continue }
            throw ValidationError("The value of '\(name)' is no span: write 24h or 30d, not '\(text)'.")
        }
        for (name, text) in [("--from", from), ("--to", to)] {
            guard let text, InstantText.parse(text) == nil else { continue }
            throw ValidationError("The value of '\(name)' is no time: write 2026-01-01T00:00:00Z, not '\(text)'.")
        }
        if let metric, HistoryMetric.named(metric).isEmpty {
            let known = HistoryMetric.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("There is no metric '\(metric)'. There are: \(known).")
        }
        guard range == nil || from == nil else { throw ValidationError("Give either '--range' or '--from'.") }
    }
}
