internal import SondeDomain
public import SondeFormats

/// What has moved, for people: each change with both values and since when.
public struct ChangesView {
    private let state: ChangesState
    private let columns: Int

    /// A view of `state` on a terminal that is so wide.
    public init(_ state: ChangesState, columns: Int) {
        self.state = state
        self.columns = max(60, columns)
    }

    /// The lines from top to bottom.
    public var lines: [StyledLine] {
        let heading = [
            StyledLine("\(Self.minute(state.from)) to \(Self.minute(state.to)) UTC", .strong),
            StyledLine("compared with \(reference)", .faint),
        ]
        return heading + (state.changes.isEmpty ? [nothing] : table) + notes
    }

    private var reference: String {
        let asked = state.reference == HistoryChanges.Reference.day.rawValue ? 1 : 7
        guard state.daysKept > 0 else { return "the time before: no earlier day is kept" }
        if asked == 1 { return "the same time of the day before" }
        return "the same time of \(state.daysKept) of the \(asked) days before"
    }

    private var nothing: StyledLine {
        state.compared > 0
            ? StyledLine("nothing has moved: all \(state.compared) series are within what is usual")
            : StyledLine("nothing can be compared yet")
    }

    private var table: [StyledLine] {
        var table = ColumnTable([
            ("SERIES", .left), ("SOURCE", .left), ("USUAL", .right), ("NOW", .right), ("CHANGE", .right),
            ("SINCE", .left),
        ])
        for change in state.changes {
            let name = [change.metric, change.member].compactMap(\.self).joined(separator: " ")
            table.append([
                ColumnTable.Cell(name, .strong), ColumnTable.Cell(change.source),
                ColumnTable.Cell(Self.text(change.usual, change.unit)),
                ColumnTable.Cell(Self.text(change.value, change.unit)), ColumnTable.Cell(Self.factor(change)),
                ColumnTable.Cell(Self.time(change) + (isMarked(change) ? " *" : "")),
            ])
        }
        return table.lines(columns: columns)
    }

    private var notes: [StyledLine] {
        var notes: [String] = []
        if state.moved > UInt64(state.changes.count) {
            notes.append("\(state.changes.count) of \(state.moved) are shown; --limit 100 shows more")
        }
        if state.changes.contains(where: isMarked) {
            notes.append("* compared with the time before: no earlier day is kept of it")
        }
        for source in state.silentSources {
            notes.append("\(HarmlessText.line(source)) has reported nothing for 5 minutes: sonde status says why")
        }
        if state.unknown > 0 { notes.append("\(state.unknown) series have too little history to say what is usual") }
        return notes.map { StyledLine($0, .faint).clipped(to: columns) }
    }

    private func isMarked(_ change: ChangesState.Change) -> Bool {
        state.daysKept > 0 && change.basis == .timeBefore
    }

    /// `×70`, `×1.4`, `-85 %`, `new`, `gone`; where nothing is usual only whether it rose.
    private static func factor(_ change: ChangesState.Change) -> String {
        switch change.direction {
        case .appeared: return "new"
        case .vanished: return "gone"
        case .higher, .lower: break
        }
        guard let usual = change.usual, let value = change.value, usual > 0 else { return "up" }
        let ratio = value / usual
        guard ratio >= 1 else { return "-\(QuantityText.count((100 - 100 * ratio).rounded())) %" }
        guard ratio < 1_000 else { return "×>1000" }
        return "×\(QuantityText.count(ratio < 10 ? ratio : ratio.rounded()))"
    }

    /// `10:42`, `10:42-10:51` when it is over, `before 10:10` when it was there at the beginning.
    private static func time(_ change: ChangesState.Change) -> String {
        let begin = (change.mayBeEarlier ? "before " : "") + clock(change.begin)
        return change.end.map { "\(begin)-\(clock($0))" } ?? begin
    }

    private static func text(_ value: Double?, _ unit: String) -> String {
        switch unit {
        case "By/s": QuantityText.rate(value)
        case "By": value.map { QuantityText.size(max(0, $0)) } ?? QuantityText.unknown
        case "s": value.map { "\(QuantityText.count(($0 * 1e5).rounded() / 100)) ms" } ?? QuantityText.unknown
        case "1": value.map { "\(QuantityText.count(($0 * 1e3).rounded() / 10)) %" } ?? QuantityText.unknown
        default:
            unit.hasSuffix("/s")
                ? value.map { "\(QuantityText.count($0))/s" } ?? QuantityText.unknown : QuantityText.count(value)
        }
    }

    private static func minute(_ time: Timestamp?) -> String { String(StatusText.instant(time).prefix(16)) }

    private static func clock(_ time: Timestamp?) -> String { String(minute(time).suffix(5)) }
}
