internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// Reads what is known of sockets: listeners at every collection, all others as often as the budget allows.
final class SocketStage {
    private let view: NamespaceView
    private let settings: SocketSettings
    private let host: PluginHost
    private let processorTime: () -> Nanoseconds
    private let text: SocketText
    private var inUse: SocketsInUse
    private var kernel: SocketKernel?
    /// Whether udp_diag is missing, so that only UDP is read from text.
    private var lacksDatagrams = false
    private var pace: WalkPace
    private var listenerSeries: ListenerSeries
    private var walkSeries: WalkSeries
    private var detailSeries = DetailSeries()
    private let cgroups: CgroupNames
    private var problemCounts = InputProblemCounts()
    /// Why sockets could not be read the last time.
    private var failure: PluginError?

    init(
        _ view: NamespaceView,
        _ settings: SocketSettings,
        limits: TableLimits,
        host: PluginHost,
        cgroups: CgroupNames? = nil,
        processorTime: (() -> Nanoseconds)? = nil
    ) {
        self.view = view
        self.settings = settings
        self.host = host
        self.cgroups = cgroups ?? CgroupNames(tape: view.tape)
        self.processorTime = processorTime ?? ThreadTime.reader(view.tape)
        text = SocketText(proc: view.tables, tape: view.tape)
        inUse = SocketsInUse(proc: view.tables, limit: limits.fileSize, tape: view.tape)
        pace = WalkPace(percent: settings.budget)
        let began = host.wallTime
        listenerSeries = ListenerSeries(began: began)
        walkSeries = WalkSeries(began: began)
    }

    /// What was left out so far.
    func problems(_ problem: InputProblem) -> UInt64 {
        guard problem == .seriesLimit else { return problemCounts[problem] }
        return listenerSeries.refused &+ walkSeries.refused &+ detailSeries.refused
    }

    /// Opens the socket in the namespace; without it the files are read.
    func start() {
        kernel = nil
        lacksDatagrams = false
        // A copied tree has no namespace: nothing is refused.
        guard view.path != nil else { return }
        do throws(NetlinkError) {
            let tape = view.tape
            let make: () throws(NetlinkError) -> SocketKernel = { () throws(NetlinkError) in try SocketKernel(tape) }
            let namespace = try view.open()
            if let namespace {
                kernel = try namespace.inside(orThrow: { $0 }, do: make)
            } else {
                kernel = try make()
            }
        } catch {
            giveUp(error)
        }
    }

    /// Reads through this kernel.
    func use(_ kernel: SocketKernel) {
        self.kernel = kernel
    }

    /// Closes every series: sockets are not read any more.
    func close() {
        listenerSeries.closeAll(host)
        walkSeries.closeAll(host)
        detailSeries.closeAll(host)
    }

    /// Appends what is known of sockets at a collection that is repeated every `interval`.
    func read(_ times: ReadingTimes, interval: Nanoseconds, into samples: inout SampleBuffer) {
        let now = host.monotonicTime
        let isDue = pace.isDue(at: now, interval: interval)
        let before = processorTime()
        do throws(PluginError) {
            guard let reading = try reading(isDue) else { return }
            noteRecovery()
            if let listeners = reading.listeners { listenerSeries.append(listeners, to: &samples, host) }
            guard let walk = reading.walk else { return }
            if let detail = reading.detail { detailSeries.append(detail, cgroups, to: &samples, host) }
            let cost = Nanoseconds(processorTime().value &- before.value)
            pace.walked(at: now, cost: cost)
            walkSeries.append(
                walk,
                established: reading.established,
                families: reading.families,
                datagrams: reading.datagramFamilies,
                WalkEffort(method: kernel == nil ? "text" : "netlink", cost: cost, period: pace.period),
                at: times.now,
                to: &samples,
                host
            )
        } catch {
            note(error)
        }
    }

    private struct Reading {
        var listeners: ListenerTable?
        /// Nil between two walks.
        var walk: SocketWalk?
        var established: [SocketFamily: UInt64] = [:]
        /// Nil where connections are not looked at one by one.
        var detail: ConnectionDetail?
        var families = SocketFamily.allCases
        /// Those of UDP; none where its sockets cannot be read.
        var datagramFamilies = SocketFamily.allCases
        /// Whether there may be a UDP socket.
        var hasDatagrams = true
    }

    private func reading(_ isDue: Bool) throws(PluginError) -> Reading? {
        guard let kernel else { return try readText(isDue) }
        return try read(kernel, isDue)
    }

    private func read(_ kernel: SocketKernel, _ isDue: Bool) throws(PluginError) -> Reading? {
        do throws(NetlinkError) {
            let listeners = try kernel.listeners()
            var reading = Reading(listeners: listeners.table)
            guard isDue else { return reading }
            var walk = SocketWalk()
            walk.tcp = listeners.counts
            try walkConnections(kernel, &walk, &reading)
            if reading.hasDatagrams { try readDatagrams(kernel, &walk, &reading) }
            reading.walk = walk
            return reading
        } catch {
            guard error.isRefusal || error.isAbsence else { throw .socketsUnanswered(error) }
            giveUp(error)
            return try readText(isDue)
        }
    }

    private func walkConnections(
        _ kernel: SocketKernel,
        _ walk: inout SocketWalk,
        _ reading: inout Reading
    ) throws(NetlinkError) {
        // The established ones are most, and their number is the rest of those in use.
        let isCounted = settings.extent == .count && inUse.read().ipv4.tcp != nil
        if settings.extent == .detail {
            let ports = reading.listeners?.ports.keys.sorted() ?? []
            let found = try kernel.connections(ConnectionDetail(listening: ports))
            walk.tcp.add(found.counts)
            reading.detail = found.detail
        } else {
            let mask = SocketState.Mask.all.subtracting(.listen)
            walk.tcp.add(try kernel.connections(isCounted ? mask.subtracting(.established) : mask))
        }
        let numbers = inUse.read()
        for family in SocketFamily.allCases {
            guard isCounted else {
                reading.established[family] = walk.tcp[family, .established]
                continue
            }
            let number = family == .ipv4 ? numbers.ipv4.tcp : numbers.ipv6.tcp
            reading.established[family] = number.flatMap { walk.tcp.established(family, inUse: $0) }
        }
        // Sockets that came or went meanwhile: the number of one family would be taken for that of both.
        let counted = [numbers.ipv4.tcp, numbers.ipv6.tcp].count { $0 != nil }
        if isCounted, reading.established.count < counted { reading.established = [:] }
        // Without IPv6 there is nothing to report for it.
        if numbers.ipv4.tcp != nil, numbers.ipv6.tcp == nil {
            reading.families = [.ipv4]
            reading.datagramFamilies = [.ipv4]
        }
        // A walk over no socket goes over the whole table of ports all the same.
        reading.hasDatagrams = numbers.ipv4.udp != 0 || (numbers.ipv6.udp ?? 0) != 0
    }

    private func readDatagrams(
        _ kernel: SocketKernel,
        _ walk: inout SocketWalk,
        _ reading: inout Reading
    ) throws(NetlinkError) {
        if !lacksDatagrams {
            do throws(NetlinkError) {
                walk = try kernel.datagrams(walk)
                return
            } catch {
                guard error.isAbsence || error.isRefusal else { throw error }
                lacksDatagrams = true
                let failure = PluginError.socketsRefused(error)
                host.log(.warning, "\(failure.code): \(failure.message); UDP is read from \(view.tables)/net/udp")
            }
        }
        var listeners = ListenerTable()
        let found = try? text.read(.udp, into: &walk, listeners: &listeners, problems: &problemCounts)
        reading.datagramFamilies = found ?? []
    }

    private func readText(_ isDue: Bool) throws(PluginError) -> Reading? {
        guard isDue else { return Reading() }
        var walk = SocketWalk()
        var listeners = ListenerTable()
        do throws(ReadFailure) {
            var reading = Reading()
            reading.families = try text.read(.tcp, into: &walk, listeners: &listeners, problems: &problemCounts)
            reading.datagramFamilies = try text.read(
                .udp, into: &walk, listeners: &listeners, problems: &problemCounts)
            for family in reading.families { reading.established[family] = walk.tcp[family, .established] }
            reading.listeners = listeners
            reading.walk = walk
            return reading
        } catch {
            // A copied tree need not have these tables.
            guard view.path != nil || error != .absent else { return nil }
            throw error.pluginError("\(view.tables)/net/tcp")
        }
    }
}

extension SocketStage {
    private func giveUp(_ error: NetlinkError) {
        kernel = nil
        let failure = PluginError.socketsRefused(error)
        let path = "\(view.tables)/net/tcp"
        host.log(.warning, "\(failure.code): \(failure.message); sockets are read from \(path), which costs more")
    }

    private func note(_ error: PluginError) {
        guard failure?.code != error.code || failure?.message != error.message else { return }
        failure = error
        host.log(.warning, "\(error.code): \(error.message); sockets are left out until it is over")
    }

    private func noteRecovery() {
        guard failure != nil else { return }
        failure = nil
        host.log(.info, "sockets can be read again")
    }
}
