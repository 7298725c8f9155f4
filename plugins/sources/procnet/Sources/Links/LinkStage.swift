internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// Reads interfaces by the best way there is: netlink, or `/proc/net/dev` where that is refused.
final class LinkStage {
    private let view: NamespaceView
    private let settings: LinkSettings
    private let limits: TableLimits
    private let host: PluginHost
    private let fallback: TableReader
    private var fallbackTotal: FallbackTotal
    private var missing: MissingUplinks
    private var monitor: LinkMonitor?
    private var tickPeriod = Nanoseconds.zero
    /// Why the last reading through netlink failed, or nil when it did not.
    private var netlinkFailure: NetlinkError?

    init(_ view: NamespaceView, _ settings: LinkSettings, limits: TableLimits, host: PluginHost) {
        self.view = view
        self.settings = settings
        self.limits = limits
        self.host = host
        fallback = TableReader(
            .dev,
            proc: view.tables,
            limits: limits,
            filter: settings.filter,
            following: settings.uplinks,
            host: host
        )
        fallbackTotal = FallbackTotal(settings.uplinks)
        missing = MissingUplinks(settings.uplinks)
    }

    /// What was left out so far.
    func problems(_ problem: InputProblem) -> UInt64 {
        fallback.problems[problem] &+ (monitor?.problems[problem] ?? 0)
    }

    /// Why the last reading has no interfaces; nil when it has.
    var failure: ReadFailure? {
        guard monitor != nil else { return fallback.failure }
        return netlinkFailure.map { .system($0.number) }
    }

    /// The same as the failure of a whole collection, where it is one of netlink.
    var netlinkError: PluginError? { monitor == nil ? nil : netlinkFailure.map { .linksUnanswered($0) } }

    /// How often the list of links was new so far; nil where the kernel does not report changes.
    var changes: UInt64? { monitor?.changes }

    /// Opens the sockets in the namespace; without them the files are read.
    func start() {
        do throws(NetlinkError) {
            let namespace = try view.open()
            let kernel: LinkKernel
            if let namespace {
                kernel = try namespace.inside(
                    orThrow: { $0 }, do: { () throws(NetlinkError) in try LinkKernel(view.tape) })
            } else {
                kernel = try LinkKernel(view.tape)
            }
            use(kernel)
        } catch {
            giveUp(error)
        }
    }

    /// Reads through these sockets.
    func use(_ kernel: LinkKernel) {
        // Before the same series are opened again: those of a device that is gone by now would never be closed.
        fallback.closeAll()
        fallbackTotal.closeAll(host)
        netlinkFailure = nil
        if let monitor { return monitor.use(kernel) }
        let boot = BootIdentity(proc: view.proc, tape: view.tape)
        monitor = LinkMonitor(kernel, settings, host: host) { boot.read() }
    }

    /// Appends what is known of interfaces; ``failure`` explains why there is nothing.
    func read(
        _ times: ReadingTimes,
        interval: Nanoseconds,
        into samples: inout SampleBuffer,
        buffer: ProcBuffer
    ) {
        if let monitor {
            do throws(NetlinkError) {
                try monitor.collect(times, interval: interval, into: &samples)
                monitor.countProblems()
                let uplinks = monitor.choice?.links ?? []
                missing.update(host) { name in uplinks.contains { $0.name == name } }
                noteRecovery()
            } catch {
                note(error)
            }
        }
        if monitor == nil { readFallback(times, into: &samples, buffer: buffer) }
        requestTicks()
    }

    /// Closes every series, and asks for no ticks: interfaces are not read any more.
    func close() {
        monitor?.closeAll()
        monitor = nil
        fallback.closeAll()
        fallbackTotal.closeAll(host)
        missing.clearAll(host)
        requestTicks()
    }

    /// Takes one reading of the uplinks.
    ///
    /// Throws `SND-PRC010`.
    func tick() throws(PluginError) {
        do throws(NetlinkError) { try monitor?.tick() } catch { throw .linksUnanswered(error) }
        requestTicks()
    }

    private func readFallback(_ times: ReadingTimes, into samples: inout SampleBuffer, buffer: ProcBuffer) {
        fallback.read(times, into: &samples, buffer: buffer)
        guard fallback.failure == nil else { return }
        let start = times.start(of: .dev, lastReading: nil)
        let counters = fallback.followedCounters
        fallbackTotal.append(counters, start, to: &samples, host)
        missing.update(host) { counters[$0] != nil }
    }

    private func note(_ error: NetlinkError) {
        guard !error.isRefusal else { return giveUp(error) }
        if netlinkFailure != error {
            let failure = PluginError.linksUnanswered(error)
            host.log(.warning, "\(failure.code): \(failure.message); interfaces are left out until it answers")
        }
        netlinkFailure = error
    }

    private func noteRecovery() {
        guard netlinkFailure != nil else { return }
        netlinkFailure = nil
        host.log(.info, "the kernel answers about interfaces again")
    }

    private func giveUp(_ error: NetlinkError) {
        monitor?.closeAll()
        monitor = nil
        netlinkFailure = nil
        // A copied tree has no namespace: nothing was refused.
        guard view.path != nil else { return }
        let failure = PluginError.netlinkRefused(error)
        let total = fallbackTotal.isEmpty ? ", without the host's total: set the option uplinks to get it" : ""
        host.log(
            .warning, "\(failure.code): \(failure.message); interfaces are read from \(view.tables)/net/dev\(total)")
    }

    /// Ticks wake the processor: they are asked for while there is something to read.
    private func requestTicks() {
        let wanted = monitor.map { $0.sampler.isEmpty ? .zero : $0.sampler.pace } ?? .zero
        guard wanted != tickPeriod else { return }
        tickPeriod = wanted
        if !host.requestTick(every: wanted), wanted > .zero {
            host.log(.info, "the agent offers no readings between collections: there is no peak")
        }
    }
}
