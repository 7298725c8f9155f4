internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondeGateways
internal import SondePresentation

/// All open pages, on one thread, which also waits for the agent.
actor PageHub {
    /// Bounds and times.
    struct Settings: Sendable {
        var paths: [String]
        var timing = DashboardTiming()
        var mostPages = 200
        /// Each may hold some MiB for a browser that is slow.
        var mostDownloads = 8
        var times = Page.Times()
    }

    /// Why a request of a page is not done.
    enum Refusal: Error {
        /// There are as many pages as there may be.
        case full
        /// There is no such page.
        case unknownPage
        /// The page has no chart.
        case nothingToExport
        /// It orders something, and comes without the token.
        case tokenNeeded
    }

    nonisolated let executor: LoopExecutor
    private let settings: Settings
    private let clock: any Clock
    private let feed: AgentFeed
    private var pages: [PageID: Page] = [:]
    private var downloads: [DownloadID: (download: Download, page: PageID)] = [:]
    private var hasEnded = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Pages, on a thread of their own, which lives as long as the process: requests that end after the pages ask it too.
    init(_ settings: Settings, clock: any Clock = SystemClock()) throws(SondeError) {
        executor = try LoopExecutor()
        (self.settings, self.clock) = (settings, clock)
        feed = AgentFeed(paths: settings.paths, timing: settings.timing)
        let thread = try PluginThread(name: "pages") { self.run() }
        thread.detach()
    }

    // MARK: What pages ask

    /// How many are open.
    var count: Int { pages.count }

    /// Opens a page; `drop` closes its connection.
    func open(drop: @escaping @Sendable () -> Void) throws(Refusal) -> PageID {
        guard !hasEnded, pages.count < settings.mostPages else { throw .full }
        let id = PageID()
        pages[id] = Page(
            id, feed: feed, clock: clock, timing: settings.timing, times: settings.times, drop: drop)
        return id
    }

    /// The next event of a page.
    func next(_ id: PageID) async -> PageEvent {
        guard let page = pages[id] else { return .end }
        return await withCheckedContinuation { page.wait($0, at: clock.monotonicTime) }
    }

    /// Does what a page wants.
    func apply(_ intents: [DashboardIntent], to id: PageID, by permission: PagePermission) throws(Refusal) {
        guard let page = pages[id] else { throw .unknownPage }
        guard permission == .order || !intents.contains(where: page.session.state.wouldOrder) else {
            throw .tokenNeeded
        }
        for intent in intents { page.apply(intent, at: clock.monotonicTime) }
    }

    /// Closes a page.
    func close(_ id: PageID) {
        pages.removeValue(forKey: id)?.end()
        if pages.isEmpty { feed.rest() }
    }

    // MARK: Downloads

    /// Begins the file of what the chart of a page is of.
    func export(_ format: String, of id: PageID) throws(Refusal) -> DownloadID {
        guard let page = pages[id] else { throw .unknownPage }
        guard page.session.state.subject != nil else { throw .nothingToExport }
        guard downloads.count < settings.mostDownloads else { throw .full }
        let download = Download()
        page.begin(download)
        page.apply(.export(format: format), at: clock.monotonicTime)
        let number = DownloadID()
        downloads[number] = (download, id)
        return number
    }

    /// The next part of a download.
    func next(_ id: DownloadID) async -> DownloadPart {
        guard let (download, page) = downloads[id] else { return .end }
        let part = await withCheckedContinuation { download.take($0) }
        pages[page]?.port.resume()
        return part
    }

    /// Ends a download, whole or not.
    func end(_ id: DownloadID) {
        guard let (download, page) = downloads.removeValue(forKey: id) else { return }
        pages[page]?.port.leave(download)
    }

    // MARK: The end

    /// Ends all pages; there will be no others.
    func end() {
        hasEnded = true
        for id in pages.keys { close(id) }
    }

    // MARK: The thread

    private nonisolated func run() {
        executor.adoptThread()
        while true {
            executor.runJobs()
            let wait = assumeIsolated { $0.turn() }
            executor.wait(for: wait.descriptors, milliseconds: wait.milliseconds)
        }
    }

    private struct Wait: Sendable {
        var descriptors: [pollfd]
        var milliseconds: Int32
    }

    /// Does what is due.
    private func turn() -> Wait {
        guard !pages.isEmpty else { return Wait(descriptors: [], milliseconds: -1) }
        for delivery in feed.take(at: clock.monotonicTime) {
            pages[delivery.page]?.apply(delivery.intent, at: clock.monotonicTime)
        }
        let now = clock.monotonicTime
        for (id, page) in pages where !page.turn(at: now) { close(id) }
        return Wait(descriptors: feed.descriptors, milliseconds: idleMilliseconds)
    }

    private var idleMilliseconds: Int32 {
        guard !feed.hasDeliveries else { return 0 }
        guard let due = pages.values.compactMap(\.due).min() else { return -1 }
        let left = due.since(clock.monotonicTime).value
        // Rounded up: a wait that ends too soon is one more.
        return left <= 0 ? 0 : Int32(clamping: left / 1_000_000 + 1)
    }
}

/// Names a download.
struct DownloadID: Hashable, Sendable {
    private let text = RandomText.make()
}

/// What a request may do.
enum PagePermission: Sendable {
    /// See everything, and choose what is seen.
    case look
    /// Have sources and sinks try again besides.
    case order
}
