internal import SondeDomain
internal import SondeEngine
public import SondeFormats

/// A running agent for people: one line per source and sink, then what is broken, then what was lost.
public struct StatusView {
    private static let indent = "  "

    private let state: StatusState
    private let columns: Int

    /// A view of `state` on a terminal that is so wide.
    public init(_ state: StatusState, columns: Int) {
        self.state = state
        self.columns = max(60, columns)
    }

    /// The lines from top to bottom.
    public var lines: [StyledLine] {
        heading + [StyledLine()] + instances + failures + rejections + losses
    }

    private var heading: [StyledLine] {
        var line = StyledLine("sonde \(HarmlessText.line(state.version ?? StatusText.unknown))", .strong)
        if let id = state.processID { line.append("  process \(id)") }
        if state.started != nil { line.append("  up \(AgeText.since(state.started, at: state.time))") }
        line.append("  \(HarmlessText.line(state.configurationPath ?? "built-in configuration"))")
        var lines = [line.clipped(to: columns)]
        if let kind = state.spoolKind {
            let text = "spool \(StatusText.place(kind)), at most \(StatusText.bytes(state.spoolMaxBytes))"
            lines.append(StyledLine(HarmlessText.line(text), .faint).clipped(to: columns))
        }
        if let remote = state.remote {
            let style: StyledLine.Style = ["none", "good"].contains(remote.state) ? .faint : .warning
            lines += wrapped(text(remote), style)
        }
        if let limits = state.limits { lines += limitLines(limits) }
        return lines
    }

    /// `remote configuration 7, on probation for 4m59s; asked 3s ago; https://…`.
    private func text(_ remote: StatusState.Remote) -> String {
        let serial = remote.serial.map { " \($0)" } ?? ""
        let what =
            switch remote.state {
            case "none": "none so far"
            case "good": "good"
            case "probation":
                remote.waitsFor.isEmpty
                    ? "on probation for \(remote.probationLeft.map(AgeText.span) ?? StatusText.unknown)"
                    : "on probation, waits for \(remote.waitsFor.joined(separator: ", "))"
            case "rolled_back":
                remote.failedSerial.map { "in force since \($0) was taken back" }
                    ?? "in force since another was taken back"
            case "ignored": "left out: it does not fit the files of this host"
            default: word(remote.state)
            }
        return "remote configuration\(serial): \(what); answered \(AgeText.since(remote.lastAnswer, at: state.time)), "
            + "next \(AgeText.until(remote.nextRequest, at: state.time)); \(remote.url)"
    }

    /// `limits: cpu 1.7% of 2%, memory 40MiB of 64MiB; level 2 of 6, without names and clients, flows`.
    private func limitLines(_ limits: StatusState.Limits) -> [StyledLine] {
        var uses: [String] = []
        if let limit = limits.processorLimit {
            let used = limits.processors.map(PercentText.text(of:)) ?? StatusText.unknown
            uses.append("cpu \(used) of \(PercentText.text(of: limit))")
        }
        if let limit = limits.memoryLimit {
            uses.append("memory \(StatusText.bytes(limits.memory)) of \(StatusText.bytes(limit))")
        }
        let level = limits.level ?? 0
        var text = "limits: \(uses.joined(separator: ", ")); level \(level) of \(limits.levels.last ?? 0)"
        if !limits.saved.isEmpty {
            let words = limits.saved.map { SavingStep(rawValue: $0)?.subject ?? $0 }
            text += ", without \(words.joined(separator: ", "))"
        }
        let style: StyledLine.Style = level > 0 ? .warning : .faint
        return wrapped(text, style)
    }

    private func wrapped(_ text: String, _ style: StyledLine.Style) -> [StyledLine] {
        Paragraph.lines(HarmlessText.line(text), columns: columns).map { StyledLine($0, style) }
    }

    private var instances: [StyledLine] {
        var table = ColumnTable([
            ("ID", .left), ("PLUGIN", .left), ("STATE", .left), ("LAST OK", .right), ("WAITING", .right),
            ("BYTES", .right), ("OLDEST", .right), ("NEXT", .right),
        ])
        for instance in state.instances {
            table.append([
                ColumnTable.Cell(instance.id, .strong),
                plugin(instance),
                ColumnTable.Cell(word(instance.state), instance.isFailing ? .warning : .plain),
                ColumnTable.Cell(AgeText.since(instance.lastSuccess, at: state.time)),
                queued(instance) { StatusText.count($0.points) },
                queued(instance) { StatusText.bytes($0.bytes) },
                queued(instance) { AgeText.since($0.oldest, at: state.time) },
                ColumnTable.Cell(AgeText.until(instance.nextAttempt, at: state.time)),
            ])
        }
        return table.lines(columns: columns)
    }

    private func plugin(_ instance: StatusState.Instance) -> ColumnTable.Cell {
        var name = instance.plugin ?? StatusText.unknown
        switch instance.limits.flatMap(LimitKeeping.init) {
        case .controlGroup: name += ", in a control group"
        case .sampling: name += ", limits sampled"
        case nil: break
        }
        guard instance.sandbox == Sandbox.off.rawValue else { return ColumnTable.Cell(name) }
        return ColumnTable.Cell("\(name), sandbox off", .warning)
    }

    /// Nothing for a source: it has no queue.
    private func queued(_ instance: StatusState.Instance, _ text: (StatusState.Queue) -> String) -> ColumnTable.Cell {
        guard let queue = instance.queue else { return ColumnTable.Cell("") }
        let style: StyledLine.Style = queue.points == 0 ? .faint : .plain
        return ColumnTable.Cell(text(queue), style)
    }

    private var failures: [StyledLine] {
        let broken = state.instances.flatMap { instance in instance.failures.map { (instance, $0) } }
        guard !broken.isEmpty || !state.spoolFailures.isEmpty || !state.agentFailures.isEmpty else { return [] }
        return [StyledLine(), StyledLine("FAILURES", .faint)]
            + state.agentFailures.flatMap { lines("agent", $0) }
            + state.spoolFailures.flatMap { lines($0.stage == "history" ? "history" : "spool", $0) }
            + broken.flatMap { instance, failure in
                lines(instance.id, failure, "lost: \(lost(instance.id)); next attempt: \(next(instance, failure))")
                    + (Self.isForPerson(failure) ? paragraph("then: sonde reload") : [])
            }
    }

    /// Whether another configuration, or another state of what it names, may end it.
    private static func isForPerson(_ failure: StatusState.Failure) -> Bool {
        failure.failureClass.flatMap(FailureClass.init(name:))?.mayEndByReconfiguring ?? false
    }

    private func lines(_ name: String, _ failure: StatusState.Failure, _ outcome: String? = nil) -> [StyledLine] {
        var title = StyledLine(HarmlessText.line(name), .strong)
        title.append("  ")
        title.append(HarmlessText.line(failure.code), .warning)
        if let name = failure.failureClass { title.append("  \(HarmlessText.line(name))") }
        let since = "since \(StatusText.instant(failure.since)) (\(AgeText.since(failure.since, at: state.time)))"
        let times = failure.count.map { $0 == 1 ? "" : ", \(StatusText.count($0)) in a row" } ?? ""
        var lines = [title.clipped(to: columns)]
        lines += paragraph(([failure.message] + failure.cause).joined(separator: "; because "))
        lines += paragraph(since + times, .faint)
        if let outcome { lines += paragraph(outcome, .faint) }
        if let place = failure.place { lines += paragraph("option at \(place)", .faint) }
        lines += failure.recovery.flatMap { paragraph("do: \($0)") }
        return lines
    }

    private func next(_ instance: StatusState.Instance, _ failure: StatusState.Failure) -> String {
        guard instance.nextAttempt != nil else { return "not planned" }
        let text = AgeText.until(instance.nextAttempt, at: state.time)
        guard text != "now" else { return text }
        let asked = instance.state == "backing_off" ? failure.retryAfter : nil
        return "in \(text)" + (Backoff.reason(ofWaiting: asked).map { " (\($0))" } ?? "")
    }

    private func lost(_ component: String) -> String {
        let entries = state.losses.filter { $0.component == component }
        guard !entries.isEmpty else { return "nothing" }
        return entries.map { "\($0.amount) (\($0.reason))" }.joined(separator: ", ")
    }

    private var losses: [StyledLine] {
        guard !state.losses.isEmpty else { return [] }
        var table = ColumnTable([("LOST BY", .left), ("REASON", .left), ("COUNT", .right), ("LAST", .right)])
        for loss in state.losses {
            table.append([
                ColumnTable.Cell(loss.component, .strong), ColumnTable.Cell(loss.reason),
                ColumnTable.Cell(loss.amount, .warning), ColumnTable.Cell(AgeText.since(loss.to, at: state.time)),
            ])
        }
        return [StyledLine()] + table.lines(columns: columns)
    }

    private var rejections: [StyledLine] {
        guard !state.rejections.isEmpty else { return [] }
        var table = ColumnTable([
            ("REJECTED OF", .left), ("WHAT", .left), ("METRIC", .left), ("REASON", .left), ("COUNT", .right),
        ])
        for row in state.rejections {
            table.append([
                ColumnTable.Cell(row.component, .strong), ColumnTable.Cell(row.what), ColumnTable.Cell(row.metric),
                ColumnTable.Cell(row.reason), ColumnTable.Cell(StatusText.count(row.count), .warning),
            ])
        }
        return [StyledLine()] + table.lines(columns: columns)
    }

    private func paragraph(_ text: String, _ style: StyledLine.Style = .plain) -> [StyledLine] {
        Paragraph.lines(text, columns: columns - Self.indent.count).map { line in
            StyledLine([StyledLine.Span(Self.indent), StyledLine.Span(line, style)]).clipped(to: columns)
        }
    }

    private func word(_ state: String?) -> String {
        String((state ?? StatusText.unknown).map { $0 == "_" ? " " : $0 })
    }
}

extension StatusState.Loss {
    /// How much was lost, in words where it is not known.
    var amount: String { count.map { StatusText.count($0) } ?? "unknown" }
}
