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
            StyledLine("compared with \(state.referenceText)", .faint),
        ]
        return heading + (state.changes.isEmpty ? [StyledLine(state.nothingText)] : table) + notes
    }

    private var table: [StyledLine] {
        var table = ColumnTable([
            ("SERIES", .left), ("SOURCE", .left), ("USUAL", .right), ("NOW", .right), ("CHANGE", .right),
            ("SINCE", .left),
        ])
        for change in state.changes {
            table.append([
                ColumnTable.Cell(change.nameText, .strong), ColumnTable.Cell(change.source),
                ColumnTable.Cell(change.usualText), ColumnTable.Cell(change.valueText),
                ColumnTable.Cell(change.factorText),
                ColumnTable.Cell(change.timeText + (state.isMarked(change) ? " *" : "")),
            ])
        }
        return table.lines(columns: columns)
    }

    private var notes: [StyledLine] {
        var notes: [String] = []
        if state.moved > UInt64(state.changes.count) {
            notes.append("\(state.changes.count) of \(state.moved) are shown; --limit 100 shows more")
        }
        if state.changes.contains(where: state.isMarked) {
            notes.append("* compared with the time before: no earlier day is kept of it")
        }
        for source in state.silentSources {
            notes.append("\(HarmlessText.line(source)) has reported nothing for 5 minutes: sonde status says why")
        }
        if state.unknown > 0 { notes.append("\(state.unknown) series have too little history to say what is usual") }
        return notes.map { StyledLine($0, .faint).clipped(to: columns) }
    }

    private static func minute(_ time: Timestamp?) -> String { String(StatusText.instant(time).prefix(16)) }
}
