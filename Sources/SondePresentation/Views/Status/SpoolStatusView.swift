public import SondeFormats

/// What waits in a running agent for people: one line per sink.
public struct SpoolStatusView {
    private let state: SpoolStatusState
    private let columns: Int

    /// A view of `state` on a terminal that is so wide.
    public init(_ state: SpoolStatusState, columns: Int) {
        self.state = state
        self.columns = max(60, columns)
    }

    /// The lines from top to bottom.
    public var lines: [StyledLine] {
        heading + [StyledLine()] + sinks
    }

    private var heading: [StyledLine] {
        let place = StatusText.place(HarmlessText.line(state.kind ?? StatusText.unknown))
        let overflow = HarmlessText.line(state.overflow ?? StatusText.unknown)
        let text = "spool \(place), at most \(StatusText.bytes(state.maxBytes)), at the bound: \(overflow)"
        let epoch = "epoch \(HarmlessText.line(state.epoch ?? StatusText.unknown))"
        return [
            StyledLine(text, .strong).clipped(to: columns), StyledLine(epoch, .faint).clipped(to: columns),
        ]
    }

    private var sinks: [StyledLine] {
        var table = ColumnTable([
            ("SINK", .left), ("WAITING", .right), ("BYTES", .right), ("OLDEST", .right), ("LOST", .left),
        ])
        for sink in state.sinks {
            let lost = sink.losses.map { "\($0.amount) \($0.reason)" }.joined(separator: ", ")
            table.append([
                ColumnTable.Cell(sink.id, .strong),
                ColumnTable.Cell(StatusText.count(sink.queue.points)),
                ColumnTable.Cell(StatusText.bytes(sink.queue.bytes)),
                ColumnTable.Cell(AgeText.since(sink.queue.oldest, at: state.time)),
                lost.isEmpty ? ColumnTable.Cell("nothing", .faint) : ColumnTable.Cell(lost, .warning),
            ])
        }
        return table.lines(columns: columns)
    }
}
