internal import SondeDomain
internal import SondeFormats

extension DashboardState {
    /// The requests that are due, once those that were not answered in time have failed.
    mutating func ask(at now: MonotonicInstant) -> [DashboardEffect] {
        if let due = filterDue, due <= now {
            filter = entry ?? filter
            (filterDue, firstRow, isScrolled) = (nil, 0, false)
        }
        if order.isDue(at: now) { order.reset(next: nil) }
        failOverdue(at: now)
        guard !isPaused else { return [] }
        var effects: [DashboardEffect] = []
        if snapshot.isDue(at: now) {
            snapshot.begin(nextRequest(), at: now)
            effects.append(.ask(DashboardRequest(id: lastRequest, question: .snapshot)))
        }
        // Who finds no agent for one request finds none for the others.
        guard !isAgentGone else { return effects }
        if tab.showsStatus, status.isDue(at: now) {
            status.begin(nextRequest(), at: now)
            effects.append(.ask(DashboardRequest(id: lastRequest, question: .status)))
        }
        return effects + askForList(at: now) + askForChanges(at: now) + askForRanges(at: now)
    }

    private mutating func askForChanges(at now: MonotonicInstant) -> [DashboardEffect] {
        guard tab.showsChanges, snapshot.value != nil, changes.isDue(at: now) else { return [] }
        changes.begin(nextRequest(), at: now)
        return [.ask(DashboardRequest(id: lastRequest, question: .changes(range)))]
    }

    private mutating func askForList(at now: MonotonicInstant) -> [DashboardEffect] {
        guard isListCut, wholeList.isDue(at: now), let known = list.flatMap({ lists?.single($0) }) else { return [] }
        wholeList.begin(nextRequest(), at: now)
        let question = DashboardRequest.Question.list(known.name, source: known.source, offset: nil)
        return [.ask(DashboardRequest(id: lastRequest, question: question))]
    }

    /// They wait for the first snapshot, which says from which source they are.
    private mutating func askForRanges(at now: MonotonicInstant) -> [DashboardEffect] {
        guard let subject, snapshot.value != nil else { return [] }
        var effects: [DashboardEffect] = []
        if history.isDue(at: now) {
            history.begin(nextRequest(), at: now)
            effects.append(.ask(DashboardRequest(id: lastRequest, question: .history(subject, after: nil))))
        }
        if tab.hasCourses, courses.isDue(at: now) {
            var all = subject
            all.member = nil
            courses.begin(nextRequest(), at: now)
            effects.append(.ask(DashboardRequest(id: lastRequest, question: .courses(all, after: nil))))
        }
        return effects
    }

    private mutating func failOverdue(at now: MonotonicInstant) {
        let error = SondeError(
            .controlNotAnswered, stage: .control, class: .transient,
            message: "the agent has not answered for \(DurationText.text(of: timing.patience))")
        let overdue = [
            (snapshot.request, snapshot.isOverdue(at: now, after: timing.patience)),
            (status.request, status.isOverdue(at: now, after: timing.patience)),
            (history.request, history.isOverdue(at: now, after: timing.patience)),
            (courses.request, courses.isOverdue(at: now, after: timing.patience)),
            (changes.request, changes.isOverdue(at: now, after: timing.patience)),
            (wholeList.request, wholeList.isOverdue(at: now, after: timing.patience)),
            (export.request, export.isOverdue(at: now, after: timing.patience)),
            (order.request, order.isOverdue(at: now, after: timing.patience)),
        ]
        for (request, isOverdue) in overdue {
            if isOverdue, let request { fail(request, error, at: now) }
        }
    }

    /// Begins a file of what the chart is of.
    mutating func begin(_ format: String, at now: MonotonicInstant) -> [DashboardEffect] {
        guard let subject else { return [] }
        export.reset(next: nil)
        export.value = DashboardExport(subject: subject, format: format, done: 0, count: 0, isComplete: false)
        export.begin(nextRequest(), at: now)
        return [
            .ask(DashboardRequest(id: lastRequest, question: .export(subject, format: format, after: nil)))
        ]
    }
}
