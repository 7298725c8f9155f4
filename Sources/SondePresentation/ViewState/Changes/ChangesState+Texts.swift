internal import SondeDomain
internal import SondeFormats

extension ChangesState {
    /// What the range was compared with: `the same time of 6 of the 7 days before`.
    var referenceText: String {
        let asked = reference == HistoryChanges.Reference.day.rawValue ? 1 : 7
        guard daysKept > 0 else { return "the time before: no earlier day is kept" }
        if asked == 1 { return "the same time of the day before" }
        return "the same time of \(daysKept) of the \(asked) days before"
    }

    /// What is said where nothing has moved.
    var nothingText: String {
        compared > 0
            ? "nothing has moved: all \(compared) series are within what is usual" : "nothing can be compared yet"
    }

    /// Whether a change was compared with the time before although days are kept of other series.
    func isMarked(_ change: Change) -> Bool {
        daysKept > 0 && change.basis == .timeBefore
    }
}

extension ChangesState.Change {
    /// The metric and its member.
    var nameText: String { [metric, member].compactMap(\.self).joined(separator: " ") }

    /// The median of what was usual.
    var usualText: String { UnitText.text(usual, unit) }

    /// What it is since then.
    var valueText: String { UnitText.text(value, unit) }

    /// `×70`, `×1.4`, `-85 %`, `new`, `gone`; where nothing is usual only whether it rose.
    var factorText: String {
        switch direction {
        case .appeared: return "new"
        case .vanished: return "gone"
        case .higher, .lower: break
        }
        guard let usual, let value, usual > 0 else { return "up" }
        let ratio = value / usual
        guard ratio >= 1 else { return "-\(QuantityText.count((100 - 100 * ratio).rounded())) %" }
        guard ratio < 1_000 else { return "×>1000" }
        return "×\(QuantityText.count(ratio < 10 ? ratio : ratio.rounded()))"
    }

    /// `10:42`, `10:42-10:51` when it is over, `before 10:10` when it was there at the beginning.
    var timeText: String {
        let since = (mayBeEarlier ? "before " : "") + Self.clock(begin)
        return end.map { "\(since)-\(Self.clock($0))" } ?? since
    }

    private static func clock(_ time: Timestamp?) -> String {
        String(StatusText.instant(time).prefix(16).suffix(5))
    }
}
