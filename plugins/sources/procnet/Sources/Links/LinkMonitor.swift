internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// Follows the interfaces of one network namespace through netlink, and turns them into samples.
///
/// All links are read when the kernel reports a change, their counts at every collection.
final class LinkMonitor {
    let host: PluginHost
    let settings: LinkSettings
    /// What was left out so far.
    private(set) var problems = InputProblemCounts()
    var book = LinkBook()
    /// The uplinks; nil before the first reading.
    private(set) var choice: UplinkChoice?
    let sampler: PeakSampler
    var totals = LinkTotals()
    var totalSeries = TotalSeries()
    var events = CounterEvents()
    var kinds = KindCounts()
    private let extras: LinkExtras
    private var kernel: LinkKernel
    private let readBoot: () -> String?
    private var isStale = true
    /// How often all links were read so far.
    private(set) var changes: UInt64 = 0
    /// Whether the links changed since the uplinks were chosen.
    private var isUnchosen = true
    /// The devices of the default routes, where they take part in the choice.
    private var routes: [Int32] = []
    /// How the devices were reported until now, by number.
    private var roles: [Int32: LinkRole] = [:]
    private var beyondLimit = 0
    private var lastReading: Timestamp?
    /// What a list of links contained and was not reported yet, because a later request of that collection failed.
    private var happened: [LinkBook.Event] = []
    /// When this monitor began: its own counters were zero.
    let began: Timestamp

    init(_ kernel: LinkKernel, _ settings: LinkSettings, host: PluginHost, readBoot: @escaping () -> String?) {
        self.kernel = kernel
        self.settings = settings
        self.host = host
        self.readBoot = readBoot
        began = host.wallTime
        extras = LinkExtras(settings.extras, budget: settings.budget, host: host)
        sampler = PeakSampler(period: settings.peakPeriod)
    }

    /// Continues through other sockets: what vanished meanwhile is closed at the next reading.
    func use(_ kernel: LinkKernel) {
        self.kernel = kernel
        isStale = true
    }

    /// Closes every series: interfaces are read in another way from now on.
    func closeAll() {
        for device in book.all { device.series.closeAll(host) }
        totalSeries.closeAll(host)
        events.closeAll(host)
        kinds.closeAll(host)
        extras.closeAll()
    }

    /// Reads everything once and appends it.
    ///
    /// Throws ``NetlinkError``; nothing was appended then.
    func collect(
        _ times: ReadingTimes,
        interval: Nanoseconds,
        into samples: inout SampleBuffer
    ) throws(NetlinkError) {
        let start = times.start(of: .dev, lastReading: lastReading)
        if kernel.takeChanges() || isStale { happened += try readLinks(start) }
        try choose()
        for event in happened {
            if let device = book[event.index] { note(event.verdict, device) }
        }
        happened.removeAll()
        try readCounters()
        append(start, to: &samples)
        extras.append(kernel.reader, book, interval: interval, to: &samples)
        lastReading = times.now
    }

    /// Takes one reading of the uplinks.
    ///
    /// Throws ``NetlinkError``.
    func tick() throws(NetlinkError) {
        try sampler.tick(kernel.reader, busy: busyRate) { host.monotonicTime }
    }

    /// The bytes per second from which on an uplink is read at the full rate: a hundredth of its speed.
    private func busyRate(of index: Int32) -> Double {
        book[index]?.speed?.bytesPerSecond.map { Double($0) / 100 } ?? Double(settings.peakFloor)
    }

    private func readLinks(_ start: Timestamp?) throws(NetlinkError) -> [LinkBook.Event] {
        // What changes from here on is news again.
        isStale = true
        let dump = try kernel.reader.links(limit: settings.interfaces)
        isStale = !dump.isWhole
        changes &+= 1
        isUnchosen = true
        beyondLimit = dump.value.overflow
        let happened = book.update(dump.value.links, isWhole: dump.isWhole, start: start, host: host)
        events.keep(Set(book.all.map(\.name)), host)
        kinds.count(book.all.map(\.link), beyondLimit: beyondLimit)
        for device in book.all {
            device.speed = nil
            device.information = nil
        }
        return happened
    }

    private var links: [NetworkLink] { book.all.map(\.link) }

    /// Chooses the uplinks, and how every device is reported, when something changed that it depends on.
    private func choose() throws(NetlinkError) {
        if isUnchosen {
            let chosen = UplinkChoice(among: links, configured: settings.uplinks)
            if chosen.rule == .physical || chosen.rule == .configured { return use(chosen) }
        } else if choice?.rule == .physical || choice?.rule == .configured {
            return
        }
        // Which way the default routes go can change without a link that does.
        let routes = try kernel.reader.defaultRoutes()
        guard isUnchosen || routes != self.routes else { return }
        self.routes = routes
        use(UplinkChoice(among: links, defaultRoutes: routes))
    }

    private func use(_ choice: UplinkChoice) {
        isUnchosen = false
        if choice != self.choice { follow(choice) }
        let uplinks = Set(choice.links.map(\.index))
        roles = LinkRole.roles(
            of: links,
            uplinks: uplinks,
            filter: settings.filter,
            limit: LinkSettings.virtualLimit,
            before: roles
        )
        for device in book.all {
            take(roles[device.link.index] ?? .left, isUplink: uplinks.contains(device.link.index), device)
        }
    }

    private func follow(_ choice: UplinkChoice) {
        // The first one is expected, and `sonde.network.uplink` reports it; a change is news.
        let level: PluginHost.LogLevel = self.choice == nil ? .debug : .info
        self.choice = choice
        sampler.follow(choice.links)
        let names = choice.links.map(\.name).joined(separator: ", ")
        let what = choice.links.isEmpty ? "there is no uplink: the host's total is not known" : "uplinks: \(names)"
        host.log(level, "\(what) (rule: \(choice.rule.word))")
    }

    private func take(_ role: LinkRole, isUplink: Bool, _ device: LinkDevice) {
        if device.role != role, role != .alone { device.series.closeAll(host) }
        if device.isUplink != isUplink { device.series.closeAll(host) }
        device.role = role
        device.isUplink = isUplink
        device.series.isUplink = isUplink
        // A driver is asked once after each change that the kernel reported.
        guard device.speed == nil, !device.link.isLoopback, role == .alone || isUplink else { return }
        device.speed = kernel.speed(device.name) ?? LinkSpeed()
    }

    private func readCounters() throws(NetlinkError) {
        let book = book
        // Kept aside, because an interrupted dump begins again.
        let dump = try kernel.reader.counters(from: [(LinkDevice, LinkCounters)]()) { readings, index, counters in
            // A device that came since the links were read: the next collection has it.
            if let device = book[index] { readings.append((device, counters)) }
        }
        let boot = readBoot()
        let now = host.monotonicTime
        for device in book.all { device.beginReading() }
        for (device, counters) in dump.value {
            note(device.observe(counters, boot: boot, at: now), device)
        }
        sampler.take(at: now, busy: busyRate) { index in book[index]?.bytes }
    }

    private func note(_ verdict: LinkVerdict, _ device: LinkDevice) {
        guard let words = verdict.words else { return }
        switch verdict {
        case .reset, .recreated:
            device.series.closeCounters(host)
            device.start = lastReading
        case .first, .ok, .wrapped, .renamed: break
        }
        guard device.role == .alone else { return }
        events.add(device.name, verdict)
        let cause = words.cause.map { " (\($0))" } ?? ""
        host.log(.info, "interface \(device.name): \(words.verdict)\(cause)")
    }

    /// Counts what is left out.
    func countProblems() {
        problems.count(.interfaceLimit, UInt64(clamping: beyondLimit))
        var refused = 0
        for device in book.all { refused += device.series.refused }
        problems.count(.seriesLimit, UInt64(clamping: refused) &+ extras.takeRefused())
    }
}

extension UplinkChoice.Rule {
    /// The value of the attribute `sonde.uplink.rule`.
    var word: String {
        switch self {
        case .configured: "configured"
        case .physical: "physical"
        case .defaultRoute: "default_route"
        case .container: "container"
        case .none: "none"
        }
    }
}

extension LinkMonitor {
    /// Appends the sum of the virtual devices that are too many, once there were some.
    func appendOthers(_ start: Timestamp?, to samples: inout SampleBuffer) {
        guard totals.hasOthers else { return }
        totalSeries.others.append(totals.others, interface: LinkTotals.other, start: start, to: &samples, host)
        totalSeries.append(summedUp: totals.summedUp, to: &samples, host)
    }

    /// Appends what is known of all uplinks together; nothing where there is none.
    func appendHost(_ start: Timestamp?, to samples: inout SampleBuffer) {
        guard let choice else { return }
        totalSeries.append(choice, to: &samples, host)
        guard !choice.links.isEmpty else { return }
        // An uplink whose counts were not read makes the sum of all unknown, not smaller.
        guard choice.links.allSatisfy({ book[$0.index]?.isFresh == true }) else { return }
        for direction in [Direction.receive, .transmit] { appendHost(direction, start, to: &samples) }
        guard sampler.receive.peak != nil else { return }
        let step = max(sampler.receive.peakWindow, sampler.transmit.peakWindow)
        totalSeries.append(.step, RateMetrics.hostStep, nil, .double(step.seconds), to: &samples, host)
    }

    private func appendHost(_ direction: Direction, _ start: Timestamp?, to samples: inout SampleBuffer) {
        let isReceive = direction == .receive
        let bytes = totals.host[isReceive ? .receivedBytes : .sentBytes]
        let packets = totals.host[isReceive ? .receivedPackets : .sentPackets]
        append(.io, RateMetrics.hostIO, direction, bytes.map { .unsigned($0) }, start, &samples)
        append(.packets, RateMetrics.hostPackets, direction, packets.map { .unsigned($0) }, start, &samples)
        let average = totals.hostStep.flatMap { step -> Double? in
            guard step.elapsed > .zero else { return nil }
            return Double(isReceive ? step.bytes.receive : step.bytes.transmit) / step.elapsed.seconds
        }
        let measured = isReceive ? sampler.receive : sampler.transmit
        append(.average, RateMetrics.hostAverage, direction, average.map { .double($0) }, nil, &samples)
        append(.peak, RateMetrics.hostPeak, direction, measured.peak.map { .double($0) }, nil, &samples)
        append(.upper, RateMetrics.hostUpper, direction, measured.quantile(0.95).map { .double($0) }, nil, &samples)
    }

    private func append(
        _ slot: TotalSeries.HostSlot,
        _ metric: @autoclosure () -> MetricDefinition,
        _ direction: Direction,
        _ value: SampleValue?,
        _ start: Timestamp?,
        _ samples: inout SampleBuffer
    ) {
        totalSeries.append(slot, metric(), direction, value, start: start, to: &samples, host)
    }
}
