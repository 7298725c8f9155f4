internal import SondeDomain
internal import SondeFormats

extension DashboardState {
    /// Takes an answer; one that is not waited for any more is late, and dropped.
    mutating func take(_ id: Int, _ answer: JSONValue, at now: MonotonicInstant) -> [DashboardEffect] {
        switch id {
        case snapshot.request:
            let before = subject
            takeSnapshot(answer, at: now)
            // Another source, or the row that was selected is gone.
            if subject != before { resetRanges(at: now) }
            extendChart()
        case status.request: status.succeed(StatusState(answer), next: now.advanced(by: timing.live))
        case history.request: return takeHistory(answer, at: now)
        case courses.request: return takeCourses(answer, at: now)
        case wholeList.request: return takeList(answer, at: now)
        case changes.request:
            changes.succeed(ChangesState(answer), next: now.advanced(by: timing.changes))
        case export.request: return takeExport(answer, at: now)
        case order.request:
            // It is said for a moment.
            order.succeed(retried ?? "", next: now.advanced(by: timing.patience))
            status.schedule(now)
        default: break
        }
        keepSelectionInSight()
        return []
    }

    private mutating func takeSnapshot(_ answer: JSONValue, at now: MonotonicInstant) {
        let next = now.advanced(by: timing.live)
        do throws(SnapshotPage.Refusal) {
            let page = try SnapshotPage(answer["document"] ?? .null)
            let wasGone = isAgentGone
            snapshot.succeed(page, next: next)
            lists = DashboardLists(answer["document"])
            if wasGone { reconnect(at: now) }
        } catch {
            let error = SondeError(
                .controlAnswerUnreadable, stage: .control, class: .programmer,
                message: "the snapshot cannot be shown: \(error.text)")
            snapshot.fail(DashboardFailure(.snapshot, error), next: next)
        }
    }

    private mutating func resetRanges(at now: MonotonicInstant) {
        history.reset(next: now)
        courses.reset(next: now)
    }

    /// An agent is back, perhaps another one: everything is asked for anew.
    private mutating func reconnect(at now: MonotonicInstant) {
        status.schedule(now)
        history.schedule(now)
        courses.schedule(now)
        changes.schedule(now)
        status.dismiss()
        history.dismiss()
        courses.dismiss()
    }

    /// What the snapshot has of the chart's series is its newest point.
    private mutating func extendChart() {
        guard let subject, let page = snapshot.value, let value = page.newest(of: subject),
            let time = page.time.flatMap(TimestampText.parse)
        else { return }
        var chart =
            history.value?.subject == subject ? history.value ?? DashboardChart(subject) : DashboardChart(subject)
        chart.append(value, at: time)
        history.value = chart
    }

    private mutating func takeHistory(_ answer: JSONValue, at now: MonotonicInstant) -> [DashboardEffect] {
        guard let subject else { return [] }
        let state = HistoryState(answer["items"]?.asArray ?? [], from: answer["from"], to: answer["to"])
        let isWhole = subject.member == nil && subject.metric != .agentWaiting
        let series = state.series.first { isWhole ? $0.member == nil : true }
        // A series without a point in the range is left out of its page.
        if series == nil, state.series.isEmpty, let next = answer["next"] {
            history.beginMore(nextRequest(), at: now)
            return [.ask(DashboardRequest(id: lastRequest, question: .history(subject, after: next)))]
        }
        let newer = history.value?.subject == subject ? history.value : nil
        let chart = DashboardChart(subject, series, end: state.to).continued(by: newer)
        history.succeed(chart, next: now.advanced(by: timing.range))
        return []
    }

    private mutating func takeCourses(_ answer: JSONValue, at now: MonotonicInstant) -> [DashboardEffect] {
        guard var subject else { return [] }
        subject.member = nil
        let page = HistoryState(answer["items"]?.asArray ?? [], from: answer["from"], to: answer["to"])
        // The pages of an answer follow each other; the first begins anew.
        var all =
            courses.loading == .loadingMore ? courses.value ?? DashboardCourses(subject) : DashboardCourses(subject)
        all.add(page)
        courses.succeed(all, next: now.advanced(by: timing.range))
        guard let next = answer["next"], !all.isFull else { return [] }
        courses.beginMore(nextRequest(), at: now)
        return [.ask(DashboardRequest(id: lastRequest, question: .courses(subject, after: next)))]
    }

    private mutating func takeList(_ answer: JSONValue, at now: MonotonicInstant) -> [DashboardEffect] {
        guard let page = DashboardList(answer) else { return [] }
        var whole = page
        if wholeList.loading == .loadingMore, let before = wholeList.value {
            whole = before
            whole.add(page)
        }
        wholeList.succeed(whole, next: now.advanced(by: timing.live))
        guard let next = answer["next"], whole.rows.count < DashboardList.rowBound else { return [] }
        wholeList.beginMore(nextRequest(), at: now)
        let question = DashboardRequest.Question.list(whole.name, source: whole.source, offset: next)
        return [.ask(DashboardRequest(id: lastRequest, question: question))]
    }

    private mutating func takeExport(_ answer: JSONValue, at now: MonotonicInstant) -> [DashboardEffect] {
        guard var file = export.value else { return [] }
        let next = answer["next"]
        let piece = DashboardExport.Piece(
            subject: file.subject, format: file.format, text: answer["text"]?.asString ?? "",
            isFirst: export.loading != .loadingMore, isLast: next == nil)
        file.done = answer["done"]?.asUInt64 ?? file.done
        file.count = answer["count"]?.asUInt64 ?? file.count
        file.isComplete = next == nil
        export.succeed(file, next: nil)
        guard let next else { return [.write(piece)] }
        export.beginMore(nextRequest(), at: now)
        let question = DashboardRequest.Question.export(file.subject, format: file.format, after: next)
        return [.write(piece), .ask(DashboardRequest(id: lastRequest, question: question))]
    }

    /// Notes that a request has failed; one that is not waited for any more is no failure.
    mutating func fail(_ id: Int, _ error: SondeError, at now: MonotonicInstant) {
        let live = now.advanced(by: timing.live)
        // Over a connection that the agent's end has closed everything fails once, also after the agent is back.
        let range = DashboardFailure(.history, error).isAbsence ? live : now.advanced(by: timing.range)
        switch id {
        case snapshot.request: snapshot.fail(DashboardFailure(.snapshot, error), next: live)
        case status.request: status.fail(DashboardFailure(.status, error), next: live)
        case history.request: history.fail(DashboardFailure(.history, error), next: range)
        case courses.request: courses.fail(DashboardFailure(.courses, error), next: range)
        case wholeList.request: wholeList.fail(DashboardFailure(.list, error), next: live)
        case changes.request:
            changes.fail(DashboardFailure(.changes, error), next: now.advanced(by: timing.changes))
        case export.request: export.fail(DashboardFailure(.export, error), next: nil)
        case order.request: order.fail(DashboardFailure(.order, error), next: nil)
        default: break
        }
    }
}

extension SnapshotPage.Refusal {
    fileprivate var text: String {
        switch self {
        case .malformed(let reason): reason
        case .unknown(let what): what
        }
    }
}

extension SnapshotPage {
    /// The newest value of a series that charts are of; nil: the snapshot does not have it.
    fileprivate func newest(of subject: DashboardSubject) -> Double? {
        for view in views {
            switch (view.content, subject.metric) {
            case (.bandwidth(let interfaces, let total), .bandwidthReceive):
                return (subject.member == nil ? total : interfaces.first { $0.name == subject.member })?.receive.current
            case (.bandwidth(let interfaces, let total), .bandwidthTransmit):
                return (subject.member == nil ? total : interfaces.first { $0.name == subject.member })?.transmit
                    .current
            case (.connections(let groups), .connectionsTCP) where subject.member == "connected":
                return groups.first { $0.transport == "tcp" && $0.state == "connected" }?.count.current
            case (.connections(let groups), .connectionsUDP) where subject.member == "in_use":
                return groups.first { $0.transport == "udp" && $0.state == "in_use" }?.count.current
            default: continue
            }
        }
        return nil
    }
}
