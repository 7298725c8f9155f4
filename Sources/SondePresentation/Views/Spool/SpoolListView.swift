internal import SondeDomain
public import SondeFormats

/// The contents of a spool for people: the sinks, the segments, what was set aside, the dead letters.
public struct SpoolListView {
    private let state: SpoolListState
    private let columns: Int

    /// A view of `state` on a terminal that is so wide.
    public init(_ state: SpoolListState, columns: Int) {
        self.state = state
        self.columns = max(60, columns)
    }

    /// The lines from top to bottom.
    public var lines: [StyledLine] {
        var lines = heading
        for table in [sinks, segments, setAside, deadLetters] where !table.isEmpty {
            lines.append(StyledLine())
            lines += table
        }
        return lines
    }

    private var heading: [StyledLine] {
        let place = StatusText.place(HarmlessText.line(state.status.kind ?? StatusText.unknown))
        let used = state.bytes.map { "\(StatusText.bytes($0)) of " } ?? ""
        return [
            StyledLine("spool \(place), \(used)at most \(StatusText.bytes(state.status.maxBytes))", .strong)
                .clipped(to: columns),
            StyledLine("epoch \(HarmlessText.line(state.status.epoch ?? StatusText.unknown))", .faint)
                .clipped(to: columns),
        ]
    }

    private var sinks: [StyledLine] {
        guard !state.sinks.isEmpty else { return [] }
        var table = ColumnTable([
            ("SINK", .left), ("READS", .left), ("NEXT", .right), ("OFFERING", .left), ("WAITING", .right),
            ("BYTES", .right), ("OLDEST", .right),
        ])
        for sink in state.sinks {
            table.append([
                ColumnTable.Cell(sink.id, .strong), ColumnTable.Cell(sink.reader ?? StatusText.unknown),
                ColumnTable.Cell(StatusText.number(sink.next)), ColumnTable.Cell(sink.offering ?? ""),
                ColumnTable.Cell(StatusText.count(sink.queue.points)),
                ColumnTable.Cell(StatusText.bytes(sink.queue.bytes)), age(sink.queue.oldest),
            ])
        }
        return table.lines(columns: columns)
    }

    private var segments: [StyledLine] {
        guard !state.segments.isEmpty else { return [] }
        var table = ColumnTable([
            ("NUMBERS", .left), ("STATE", .left), ("POINTS", .right), ("BYTES", .right), ("OLDEST", .right),
            ("NEWEST", .right),
        ])
        for segment in state.segments {
            table.append([
                ColumnTable.Cell(segment.last.map { "\(segment.first)-\($0)" } ?? "\(segment.first)-"),
                ColumnTable.Cell(segment.state ?? StatusText.unknown),
                ColumnTable.Cell(StatusText.count(segment.points)), ColumnTable.Cell(StatusText.bytes(segment.bytes)),
                age(segment.oldest), age(segment.newest),
            ])
        }
        return table.lines(columns: columns)
    }

    private var setAside: [StyledLine] {
        guard !state.setAside.isEmpty else { return [] }
        var table = ColumnTable([("SET ASIDE", .left), ("BYTES", .right)])
        for file in state.setAside {
            table.append([
                ColumnTable.Cell(file.name, .warning), ColumnTable.Cell(StatusText.bytes(file.bytes)),
            ])
        }
        return table.lines(columns: columns)
    }

    /// Two lines each: the other commands need the whole name, on a narrow terminal too.
    private var deadLetters: [StyledLine] {
        guard !state.deadLetters.isEmpty else {
            return [StyledLine("no dead letters", .faint)]
        }
        var lines = [StyledLine("DEAD LETTERS", .faint)]
        for letter in state.deadLetters {
            var title = StyledLine(HarmlessText.line(letter.sink), .strong)
            title.append("  ")
            title.append(HarmlessText.line(letter.name))
            lines.append(title)
            let points = "\(StatusText.count(letter.points)) points, \(StatusText.bytes(letter.bytes))"
            let age = AgeText.since(letter.time, at: state.status.time)
            let refused = "\(points), refused \(age) ago: \(letter.code ?? StatusText.unknown) \(letter.message ?? "")"
            lines += Paragraph.lines(refused, columns: columns - 2).map { line in
                StyledLine([StyledLine.Span("  "), StyledLine.Span(line, .plain)]).clipped(to: columns)
            }
        }
        return lines
    }

    private func age(_ time: Timestamp?) -> ColumnTable.Cell {
        ColumnTable.Cell(AgeText.since(time, at: state.status.time))
    }
}

extension StatusText {
    /// A sequence number: not grouped, so that it can be typed.
    static func number(_ number: UInt64?) -> String { number.map { "\($0)" } ?? unknown }
}
