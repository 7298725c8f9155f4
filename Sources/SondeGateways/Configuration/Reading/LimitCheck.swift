import SondeDomain
import SondeEngine

/// Checks `agent.limits`: the form of a share, and that what is set on the disk fits.
struct LimitCheck {
    private static let key = "limits.cpu"

    let reading: ConfigurationReading

    func check(_ options: OptionReader) {
        guard case .string(let text)? = options.values[Self.key] else { return }
        let range = AgentLimits.processorRange
        if let share = PercentText.parse(text), range.contains(share) { return }
        reading.report(
            .outOfRange, at: options.marks[Self.key] ?? options.ownerMark,
            "\(Shown.text(Self.key)) is \(Shown.text(text)), which is no share of a processor from "
                + "\(PercentText.text(of: range.lowerBound)) to \(PercentText.text(of: range.upperBound))",
            suggestion: "write a number and a percent sign, such as 2%")
    }

    func check(_ configuration: AgentConfiguration) {
        guard let excess = DiskShares(configuration)?.excess else { return }
        reading.report(
            .outOfRange, at: configuration.agent.marks["limits.disk"] ?? reading.start,
            "what the spool, the history and the dead letters may have together is \(excess) bytes more than "
                + "'limits.disk'",
            suggestion: "raise it, or lower spool.max_bytes, history.max_bytes or dead_letter.max_bytes")
    }
}
