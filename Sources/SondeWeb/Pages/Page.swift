internal import SondeDomain
internal import SondeEngine
internal import SondePresentation

/// What a page in a browser is sent next.
enum PageEvent: Sendable {
    /// An object of the members that have changed.
    case view([UInt8])
    /// Nothing has changed for a while.
    case quiet
    /// It is over.
    case end
}

/// An open page: a dashboard, what of it the browser has, and the browser's wait for the rest.
final class Page {
    /// When a page is sent what, and when it is given up.
    struct Times {
        /// How long changes are gathered: an answer and what comes of it are one event.
        var gathering = Nanoseconds.milliseconds(10)
        /// After how long without a change it is said that the connection lives.
        var quiet = Nanoseconds.seconds(15)
        /// How long a browser may take to take an event.
        var stall = Nanoseconds.seconds(30)
    }

    let session: DashboardSession
    let port: PagePort
    private let times: Times
    private let drop: @Sendable () -> Void
    private var document = DashboardDocument()
    /// When something may have changed that was not sent.
    private var changed: MonotonicInstant?
    private var waiter: CheckedContinuation<PageEvent, Never>?
    /// Since when the browser waits for an event, or takes the last one.
    private var since: MonotonicInstant

    init(
        _ id: PageID, feed: AgentFeed, clock: any Clock, timing: DashboardTiming, times: Times,
        drop: @escaping @Sendable () -> Void
    ) {
        port = PagePort(id, feed: feed, clock: clock)
        session = DashboardSession(port, clock: clock, timing: timing)
        (self.times, self.drop) = (times, drop)
        since = clock.monotonicTime
        changed = since
    }

    /// Applies an intent; what it changes is sent a little later.
    func apply(_ intent: DashboardIntent, at now: MonotonicInstant) {
        session.apply(intent)
        changed = changed ?? now
        let export = session.state.export
        if export.loading == .failed, let failure = export.failure {
            port.download?.fail(code: failure.code, message: failure.message)
            port.download = nil
        }
    }

    /// Has the file that is exported next go to a download, and no further to the one before it.
    func begin(_ download: Download) {
        port.download?.fail(code: ErrorCode.controlNotAnswered.text, message: "the page began another download")
        port.download = download
    }

    /// Waits for the next event.
    func wait(_ continuation: CheckedContinuation<PageEvent, Never>, at now: MonotonicInstant) {
        waiter?.resume(returning: .end)
        (waiter, since) = (continuation, now)
    }

    /// Does what is due; false: the browser has taken nothing for too long.
    func turn(at now: MonotonicInstant) -> Bool {
        if let wake = session.state.wake, wake <= now { apply(.tick, at: now) }
        guard waiter != nil else { return now.since(since) < times.stall }
        if let changed, now.since(changed) >= times.gathering {
            self.changed = nil
            if let bytes = document.changes(in: session.state) { hand(.view(bytes), at: now) }
        } else if now.since(since) >= times.quiet {
            hand(.quiet, at: now)
        }
        return true
    }

    /// When ``turn(at:)`` has something to do by itself.
    var due: MonotonicInstant? {
        let event =
            waiter == nil ? since.advanced(by: times.stall) : changed?.advanced(by: times.gathering)
        let quiet = waiter == nil ? nil : since.advanced(by: times.quiet)
        return [event, quiet, session.state.wake].compactMap(\.self).min()
    }

    /// Ends it; the connection of a browser that takes nothing is closed.
    func end() {
        session.apply(.quit)
        port.download?.fail(code: ErrorCode.controlNotAnswered.text, message: "the page was closed")
        if let waiter { waiter.resume(returning: .end) } else { drop() }
        waiter = nil
    }

    private func hand(_ event: PageEvent, at now: MonotonicInstant) {
        waiter?.resume(returning: event)
        (waiter, since) = (nil, now)
    }
}

/// What a page has done for its dashboard: requests with those of all pages, files for its browser.
final class PagePort: DashboardPort {
    var download: Download?
    private let id: PageID
    private let feed: AgentFeed
    private let clock: any Clock

    init(_ id: PageID, feed: AgentFeed, clock: any Clock) {
        (self.id, self.feed, self.clock) = (id, feed, clock)
    }

    func ask(_ request: DashboardRequest) -> [DashboardIntent] {
        if case .export = request.question, let download, download.isFull {
            download.held = request
        } else {
            feed.ask(request, for: id, at: clock.monotonicTime)
        }
        return []
    }

    /// Asks for the piece that was held, once there is room for it.
    func resume() {
        guard let download, !download.isFull else { return }
        askForHeld(download)
    }

    /// The browser takes no more of a download: the answer to what was asked ends the export.
    func leave(_ download: Download) {
        guard self.download === download else { return }
        self.download = nil
        askForHeld(download)
    }

    private func askForHeld(_ download: Download) {
        guard let request = download.held else { return }
        download.held = nil
        feed.ask(request, for: id, at: clock.monotonicTime)
    }

    func write(_ piece: DashboardExport.Piece) throws(SondeError) {
        guard let download else {
            throw SondeError(
                .controlNotAnswered, stage: .control, class: .transient, message: "the browser has ended the download")
        }
        download.add(piece)
        if piece.isLast { self.download = nil }
    }

    func end() {}
}
