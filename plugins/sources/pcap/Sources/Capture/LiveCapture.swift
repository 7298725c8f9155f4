internal import CPcap
internal import Glibc
internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// Captures on the configured interfaces until it is cancelled.
///
/// The interfaces share one thread, and one that cannot be captured on does not stop the others. It lasts as long as the
/// source, closed and opened again, so that its counts continue. What it takes is opened by ``open()`` alone, so that its process
/// may give up every privilege then.
final class LiveCapture {
    let captures: [InterfaceCapture]
    let slots = SlotBook()
    private let received: ReceivedBook
    private let settings: CaptureSettings
    private let host: PluginHost
    private let pipeline: PacketPipeline
    private let links: HostLinks
    /// Whether interfaces can be opened at any time, as in a process that is not confined.
    private let mayOpen: () -> Bool
    private let watch: LinkWatch
    /// What was there at the last look, possibly incomplete.
    private var surroundings: LinkSurroundings?
    private var addresses: [HostAddress] = []
    /// Whether the last look failed, and that was logged.
    private var isLookFailing = false
    private var entries: [pollfd] = []
    private var lastLook: MonotonicInstant?
    private var hasNews = true
    /// Since when no interface is captured on; nil while one is.
    private var blindSince: MonotonicInstant?

    /// Links that change all the time are looked at this often, where a look is short.
    private static let lookPause = Nanoseconds.milliseconds(100)
    /// Where there are thousands of links a look takes long: the pause is then nine times as long.
    private var pause = LiveCapture.lookPause
    /// Uplinks by default route change without a link that changes: they are looked at this often.
    private static let routePause = Nanoseconds.seconds(10)
    /// How long the last interface is waited for here, where it is opened as soon as the kernel reports it.
    ///
    /// The agent, which gets the failure afterwards, tries again in growing steps.
    private static let patience = Nanoseconds.seconds(5)

    /// Opens what can be opened.
    ///
    /// Throws the failure of the first interface when there is none.
    init(
        _ settings: CaptureSettings, _ pipeline: PacketPipeline, _ host: PluginHost, links: HostLinks,
        mayOpen: @escaping () -> Bool = { sonde_packet_is_allowed() != 0 }
    ) throws(PluginError) {
        self.links = links
        self.mayOpen = mayOpen
        received = ReceivedBook(links)
        self.settings = settings
        self.host = host
        self.pipeline = pipeline
        watch = try HostLinks.watch()
        let slots = slots
        captures = settings.interfaces.map { InterfaceCapture($0, settings, pipeline, slots, links) }
        try open()
    }

    /// Opens what can be opened, after ``close()`` as well.
    ///
    /// Throws the failure of the first interface when there is none.
    func open() throws(PluginError) {
        hasNews = true
        try look(at: host.monotonicTime, patience: .zero, .toOpen)
    }

    /// Closes every capture; what was counted stays.
    func close() {
        for capture in captures { capture.close() }
    }

    /// Whether a filter leaves packets out.
    var isFiltered: Bool { !settings.filter.isEmpty }

    /// What was received on each interface, by slot, as captured and as the kernel counts it: of the stretches in which both
    /// were at work, up to a moment ago.
    func compareReceived() -> [UInt16: ReceivedComparison.Totals] {
        received.follow(captures.flatMap(\.compared))
        received.compare(pipeline, host)
        return received.totals
    }

    /// Waits for packets until `instant` and hands them on; returns early after each turn.
    ///
    /// Throws the cancellation, or the failure of the first interface when none was captured on for some seconds.
    func turn(_ call: PluginCall, until instant: MonotonicInstant) throws(PluginError) {
        let now = host.monotonicTime
        if isLookDue(at: now) {
            try look(at: now, patience: Self.patience, mayOpen() ? .toOpen : .none)
        }
        try wait(call, until: min(instant, nextLook(after: now) ?? instant), from: now)
        if entries[1].revents != 0 { hasNews = watch.drain() || hasNews }
        readAll()
        guard entries[0].revents == 0 else { throw .cancelled }
    }

    /// Reads what waits without waiting.
    func readAll() {
        let now = host.monotonicTime
        for capture in captures {
            let wasOpen = capture.descriptor != nil
            _ = capture.read(at: now)
            if wasOpen, capture.descriptor == nil {
                note(capture)
                hasNews = true
            }
        }
    }

    private func isLookDue(at now: MonotonicInstant) -> Bool {
        nextLook(after: now).map { $0 <= now } ?? false
    }

    /// When the links are to be looked at again; nil: when something changes.
    private func nextLook(after now: MonotonicInstant) -> MonotonicInstant? {
        guard let lastLook else { return now }
        var next: MonotonicInstant? = hasNews ? lastLook.advanced(by: pause) : nil
        if settings.interfaces == [CaptureSettings.any] {
            let routes = lastLook.advanced(by: Self.routePause)
            next = min(next ?? routes, routes)
        }
        for capture in captures where capture.descriptor == nil {
            if let start = capture.freshStart(whereBlind: isBlind) { next = min(next ?? start, start) }
            guard let retry = capture.backoff.next else { continue }
            next = min(next ?? retry, retry)
        }
        return next
    }

    private func look(
        at now: MonotonicInstant, patience: Nanoseconds, _ privilege: InterfaceCapture.Privilege
    ) throws(PluginError) {
        let isNews = hasNews
        hasNews = false
        lastLook = now
        guard let surroundings = try readSurroundings(isNews: isNews) else { return }
        var changed: [InterfaceCapture] = []
        for capture in captures where capture.descriptor != nil || isNews || capture.backoff.isDue(at: now) {
            if capture.follow(surroundings, at: now, privilege) { changed.append(capture) }
        }
        // When no interface is left for too long, the failure is thrown, and the host writes it into the log.
        try requireOne(among: surroundings, at: now, patience)
        for capture in changed { note(capture) }
        for capture in captures where capture.freshStart(whereBlind: isBlind).map({ $0 <= now }) ?? false {
            if let failure = capture.failure { throw failure }
        }
        pause = max(Self.lookPause, Nanoseconds(host.monotonicTime.since(now).value &* 9))
    }

    /// What is there now; nil when that cannot be read; open captures continue, and it is tried again.
    private func readSurroundings(isNews: Bool) throws(PluginError) -> LinkSurroundings? {
        do throws(PluginError) {
            let found = try LinkSurroundings.read(links, settings, besides: surroundings)
            surroundings = found
            // What a list lacks is unknown until it is complete.
            if !found.isWhole { hasNews = true }
            if isNews, let analysis = pipeline.analysis {
                let listing = try links.addresses(besides: addresses)
                addresses = listing.entries
                if !listing.isWhole { hasNews = true }
                analysis.pointee.setHostAddresses(HostAddresses(addresses))
                pipeline.tape?.record(addresses)
            }
            isLookFailing = false
            return found
        } catch {
            guard captures.contains(where: { $0.descriptor != nil }) else { throw error }
            hasNews = true
            if !isLookFailing { host.log(.warning, "\(error.code): \(error.message)") }
            isLookFailing = true
            return nil
        }
    }

    private func note(_ capture: InterfaceCapture) {
        if let failure = capture.failure {
            host.log(.warning, "\(failure.code): \(failure.message)")
        } else {
            host.log(.info, "capturing on '\(capture.name)'")
        }
    }

    private var isBlind: Bool { captures.allSatisfy { $0.descriptor == nil } }

    private func requireOne(
        among surroundings: LinkSurroundings, at now: MonotonicInstant, _ patience: Nanoseconds
    ) throws(PluginError) {
        guard isBlind, let failure = captures.first?.failure else {
            blindSince = nil
            return
        }
        let since = blindSince ?? now
        blindSince = since
        // What a person must fix is reported immediately.
        guard failure.failureClass != .configuration, now.since(since) < patience else {
            throw surroundings.isWhole ? failure : .linksChanging
        }
    }

    private func wait(_ call: PluginCall, until instant: MonotonicInstant, from now: MonotonicInstant)
        throws(PluginError)
    {
        entries.removeAll(keepingCapacity: true)
        entries.append(pollfd(fd: call.cancelDescriptor, events: Int16(POLLIN), revents: 0))
        entries.append(pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0))
        for capture in captures {
            guard let descriptor = capture.descriptor else { continue }
            entries.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        }
        let span = max(0, instant.nanoseconds &- now.nanoseconds)
        // Rounded up, so that the wait does not end a little too early and again and again.
        let milliseconds = Int32(clamping: (span &+ 999_999) / 1_000_000)
        if poll(&entries, nfds_t(entries.count), milliseconds) < 0 {
            for index in entries.indices { entries[index].revents = 0 }
        }
        // An error of a packet socket: its interface was switched off or is gone.
        for entry in entries.dropFirst(2) where Int32(entry.revents) & ~POLLIN != 0 { hasNews = true }
    }
}
