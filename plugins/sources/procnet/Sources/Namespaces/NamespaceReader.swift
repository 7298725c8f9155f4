internal import Glibc
internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// Reads everything of one network namespace, from the moment it is opened until it is closed.
final class NamespaceReader {
    let host: PluginHost
    let view: NamespaceView
    private let limits: TableLimits
    private let readers: [TableReader]
    /// Nil when the table `dev` is not read.
    private let links: LinkStage?
    /// Nil when sockets are not looked at.
    private let sockets: SocketStage?
    private let processors: ProcessorStage
    /// Nil when wireless devices are not read.
    private let wireless: WirelessStage?
    /// Entered for every collection; nil when everything can be read from outside.
    var namespace: NetworkNamespace?
    var namespaceSeries: SeriesHandle?
    /// What is known of the namespace; nil for a copied tree.
    var namespaceInformation: [Attribute]?
    private var identity: UInt64?
    private let buffer = ProcBuffer()
    private var boot: Timestamp?
    /// When the boot began, to be remembered; nil: not known.
    private(set) var record: BootRecord?
    /// Nil before the start.
    private var started: Timestamp?
    private var skipped: [Int: SeriesHandle] = [:]

    init(_ view: NamespaceView, _ settings: ReaderSettings, limits: TableLimits, host: PluginHost) {
        self.host = host
        self.view = view
        self.limits = limits
        let chosen = settings.chosen
        links = chosen.tables.contains(.dev) ? LinkStage(view, settings.links, limits: limits, host: host) : nil
        sockets =
            settings.sockets.extent == .off
            ? nil : SocketStage(view, settings.sockets, limits: limits, host: host)
        processors = ProcessorStage(
            view,
            Set(chosen.extras.compactMap(\.part)),
            budget: settings.sockets.budget,
            limits: limits,
            host: host
        )
        wireless =
            chosen.extras.contains(.wireless)
            ? WirelessStage(view, settings.links.filter, limits: limits, host: host) : nil
        readers = chosen.tables.filter { $0 != .dev }.map {
            TableReader($0, proc: view.tables, limits: limits, counters: settings.counters, host: host)
        }
    }

    /// Whether it was started, and its namespace is the one that it was started in.
    var isCurrent: Bool { started != nil && view.isStill(identity) }

    /// Opens the namespace.
    ///
    /// Throws `SND-PRC008`, or the reason why there are no tables.
    func start() throws(PluginError) {
        let read = BootTime.read(proc: view.proc, into: buffer, limit: limits.fileSize, tape: host.tape)
        record = BootRecord(
            boot: BootIdentity(proc: view.proc, tape: host.tape).read(), now: read, at: host.wallTime,
            checkpoint: host.loadCheckpoint())
        boot = record?.time ?? read
        identity = view.identity
        if view.isEntered { try openNamespace() }
        try inside { () throws(PluginError) in try requireTables() }
        links?.start()
        sockets?.start()
        noteNamespace()
        if started == nil { started = host.wallTime }
    }

    /// Reads everything once and appends it.
    ///
    /// Throws when nothing at all could be read.
    func read(_ call: PluginCall, into samples: inout SampleBuffer) throws(PluginError) {
        let times = ReadingTimes(boot: boot, now: call.time)
        try inside { () throws(PluginError) in read(times, call.interval, &samples) }
        try requireOneTable()
        appendNamespace(to: &samples)
        appendSkipped(to: &samples)
    }

    /// Takes one reading of the uplinks.
    ///
    /// Throws `SND-PRC010`.
    func tick() throws(PluginError) {
        try links?.tick()
    }

    /// Closes every series: nothing is read any more.
    func close() {
        links?.close()
        sockets?.close()
        processors.close()
        wireless?.close()
        for reader in readers { reader.closeAll() }
        for handle in Array(skipped.values) + [namespaceSeries].compactMap(\.self) { host.closeSeries(handle) }
        skipped = [:]
        namespaceSeries = nil
    }

    private func read(_ times: ReadingTimes, _ interval: Nanoseconds, _ samples: inout SampleBuffer) {
        links?.read(times, interval: interval, into: &samples, buffer: buffer)
        processors.read(times, interval: interval, into: &samples)
        wireless?.read(times, links: links?.changes, into: &samples)
        sockets?.read(times, interval: interval, into: &samples)
        for reader in readers { reader.read(times, into: &samples, buffer: buffer) }
    }

    private func requireTables() throws(PluginError) {
        guard let failure = view.tablesFailure else { return }
        guard failure != .absent || !view.lacksProcess else {
            throw .namespaceUnreachable(view, NetlinkError(.open, ENOENT))
        }
        throw failure.pluginError("\(view.tables)/net")
    }

    private func requireOneTable() throws(PluginError) {
        var failures = readers.map { (table: $0.table, failure: $0.failure) }
        if let links { failures.insert((.dev, links.failure), at: 0) }
        guard let first = failures.first, let failure = first.failure else { return }
        guard failures.allSatisfy({ $0.failure != nil }) else { return }
        // A file that is there and fails is more informative than absent ones.
        let worst = failures.first { $0.failure != .absent } ?? first
        if worst.table == .dev, let error = links?.netlinkError { throw error }
        throw (worst.failure ?? failure).pluginError("\(view.tables)/\(worst.table.path)")
    }

    private func appendSkipped(to samples: inout SampleBuffer) {
        for problem in InputProblem.allCases {
            var total: UInt64 = 0
            for reader in readers { total &+= reader.problems[problem] }
            total &+= links?.problems(problem) ?? 0
            total &+= sockets?.problems(problem) ?? 0
            total &+= processors.problems(problem) &+ (wireless?.problems(problem) ?? 0)
            guard total > 0 else { continue }
            let handle =
                skipped[problem.rawValue]
                ?? host.openSeries(
                    ProcNetSource.inputSkipped,
                    [Attribute("sonde.skip.reason", problem.word)],
                    start: started,
                    width: .bits64
                )
            skipped[problem.rawValue] = handle
            samples.append(handle, total)
        }
    }
}

extension NamespaceReader {
    /// Opens the namespace that every collection enters.
    ///
    /// Throws `SND-PRC008`.
    func openNamespace() throws(PluginError) {
        do throws(NetlinkError) { namespace = try view.open() } catch { throw .namespaceUnreachable(view, error) }
    }

    /// Runs `body` where the tables are those of the namespace.
    ///
    /// Throws `SND-PRC008`, and what `body` throws.
    func inside(_ body: () throws(PluginError) -> Void) throws(PluginError) {
        guard let namespace else { return try body() }
        let view = view
        try namespace.inside(orThrow: { .namespaceUnreachable(view, $0) }, do: body)
    }

    /// Finds out whose network is read, and logs it when that is not plainly the host's.
    func noteNamespace() {
        if let handle = namespaceSeries { host.closeSeries(handle) }
        namespaceSeries = nil
        namespaceInformation = view.information
        guard let information = namespaceInformation else { return }
        let scope = information.first { $0.name == "sonde.netns.scope" }?.value
        guard scope == "container" || view.option != .own else { return }
        let whose = scope == "container" ? "the container's" : "'\(view.option.text)'"
        host.log(.info, "the network namespace is \(whose), number \(view.identity.map(String.init) ?? "unknown")")
    }

    /// Appends which namespace all of this is about; nothing for a copied tree.
    func appendNamespace(to samples: inout SampleBuffer) {
        guard let information = namespaceInformation else { return }
        let handle = namespaceSeries ?? host.openSeries(RateMetrics.namespace, information)
        namespaceSeries = handle
        samples.append(handle, UInt64(1))
    }
}

/// The options for how a namespace is read.
struct ReaderSettings {
    let chosen: ChosenTables
    let links: LinkSettings
    let sockets: SocketSettings
    let counters: CounterChoice

    /// Throws `SND-PRC006` for a word that names no table.
    init(_ options: Options, _ limits: TableLimits) throws(PluginError) {
        chosen = try ChosenTables(options)
        sockets = SocketSettings(options)
        var links = LinkSettings(options)
        links.interfaces = limits.interfaces
        links.extras = Set(chosen.extras.compactMap(\.link)).union([.functions])
        links.budget = sockets.budget
        self.links = links
        counters = CounterChoice(options.list("counters"))
    }
}
