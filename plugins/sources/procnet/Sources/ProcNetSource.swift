internal import Glibc
internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// Reads the kernel's counters of one network namespace: interfaces through netlink, tables below `/proc/net`.
final class ProcNetSource: TickingSource {
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
    private var ratios = CounterRatios()
    private let buffer = ReadBuffer()
    var samples = SampleBuffer()
    private var boot: Timestamp?
    private var started: Timestamp?
    private var skipped: [Int: SeriesHandle] = [:]

    convenience init(host: PluginHost) throws(PluginError) {
        try self.init(host: host, limits: TableLimits())
    }

    init(host: PluginHost, limits: TableLimits) throws(PluginError) {
        let proc = host.options.string("proc") ?? "/proc"
        guard proc.hasPrefix("/"), !proc.utf8.contains(0) else {
            throw PluginError(
                "SND-PRC006",
                .configuration,
                "'\(proc)' is no absolute path",
                hint: "Write the path of a directory, /proc for instance.",
                optionPath: "proc"
            )
        }
        let text = host.options.string("netns") ?? "self"
        guard let option = NamespaceOption(text) else {
            throw PluginError(
                "SND-PRC006",
                .configuration,
                "'\(text)' names no network namespace",
                hint: "Write self, pid:1 for the namespace of process 1, or name:blue for that of ip netns.",
                optionPath: "netns"
            )
        }
        self.host = host
        self.limits = limits
        let view = NamespaceView(option, proc: proc)
        self.view = view
        let chosen = try ChosenTables(host.options)
        let socketSettings = SocketSettings(host.options)
        var settings = LinkSettings(host.options)
        settings.interfaces = limits.interfaces
        settings.extras = Set(chosen.extras.compactMap(\.link)).union([.functions])
        settings.budget = socketSettings.budget
        links = chosen.tables.contains(.dev) ? LinkStage(view, settings, limits: limits, host: host) : nil
        sockets =
            socketSettings.extent == .off ? nil : SocketStage(view, socketSettings, limits: limits, host: host)
        processors = ProcessorStage(
            view,
            Set(chosen.extras.compactMap(\.part)),
            budget: socketSettings.budget,
            limits: limits,
            host: host
        )
        wireless =
            chosen.extras.contains(.wireless)
            ? WirelessStage(view, settings.filter, limits: limits, host: host) : nil
        let counters = CounterChoice(host.options.list("counters"))
        readers = chosen.tables.filter { $0 != .dev }.map {
            TableReader($0, proc: view.tables, limits: limits, counters: counters, host: host)
        }
    }

    func start() throws(PluginError) {
        boot = BootTime.read(proc: view.proc, into: buffer, limit: limits.fileSize)
        if started == nil { started = host.wallTime }
        if view.isEntered { try openNamespace() }
        try inside { () throws(PluginError) in try requireTables() }
        links?.start()
        sockets?.start()
        noteNamespace()
    }

    func collect(_ call: PluginCall) throws(PluginError) {
        let times = ReadingTimes(boot: boot, now: call.time)
        samples.removeAll()
        try inside { () throws(PluginError) in read(times, call.interval) }
        try requireOneTable()
        appendNamespace()
        appendSkipped()
        try commit(call)
    }

    func tick(_ call: PluginCall) throws(PluginError) {
        try links?.tick()
    }

    private func read(_ times: ReadingTimes, _ interval: Nanoseconds) {
        links?.read(times, interval: interval, into: &samples, buffer: buffer)
        processors.read(times, interval: interval, into: &samples)
        wireless?.read(times, links: links?.changes, into: &samples)
        sockets?.read(times, interval: interval, into: &samples)
        var values = WatchedValues()
        for reader in readers {
            reader.read(times, into: &samples, buffer: buffer)
            reader.collect(into: &values)
        }
        ratios.take(values, at: host.monotonicTime, to: &samples, host)
    }

    private func requireTables() throws(PluginError) {
        let path = "\(view.tables)/net"
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor < 0 else {
            _ = close(descriptor)
            return
        }
        throw ReadFailure(errno: errno).pluginError(path)
    }

    private func requireOneTable() throws(PluginError) {
        var failures = readers.map { (table: $0.table, failure: $0.failure) }
        if let links { failures.insert((.dev, links.failure), at: 0) }
        guard let first = failures.first, let failure = first.failure else { return }
        guard failures.allSatisfy({ $0.failure != nil }) else { return }
        // What most tables share says more than what one of them met: a file that is there outweighs absent ones.
        let worst = failures.first { $0.failure != .absent } ?? first
        if worst.table == .dev, let error = links?.netlinkError { throw error }
        throw (worst.failure ?? failure).pluginError("\(view.tables)/\(worst.table.path)")
    }

    private func appendSkipped() {
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
                    Self.inputSkipped,
                    [Attribute("sonde.skip.reason", problem.word)],
                    start: started,
                    width: .bits64
                )
            skipped[problem.rawValue] = handle
            samples.append(handle, total)
        }
    }
}

extension ProcNetSource {
    /// Offers the samples until they are taken, the call is cancelled or its time is over.
    private func commit(_ call: PluginCall) throws(PluginError) {
        while true {
            switch host.commit(samples) {
            case .taken: return
            case .stopping: throw .cancelled
            case .busy: try waitForHost(call)
            }
        }
    }

    private func waitForHost(_ call: PluginCall) throws(PluginError) {
        guard host.monotonicTime < call.deadline else {
            throw PluginError(
                "SND-PRC007",
                .transient,
                "the agent took no samples until the deadline",
                hint: "Look at the sinks and the spool: the readings of this interval are lost."
            )
        }
        var cancel = pollfd(fd: call.cancelDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&cancel, 1, 100) <= 0 else { throw .cancelled }
    }
}
