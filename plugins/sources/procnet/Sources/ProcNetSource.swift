internal import Glibc
internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// Reads the kernel's counters of one network namespace: interfaces through netlink, tables below `/proc/net`.
final class ProcNetSource: TickingSource {
    private let host: PluginHost
    private let view: NamespaceView
    private let limits: TableLimits
    private let settings: ReaderSettings
    private var reader: NamespaceReader
    private var samples = SampleBuffer()
    /// What was remembered last.
    private var remembered: BootRecord?

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
        let view = NamespaceView(option, proc: proc, tape: host.tape)
        self.view = view
        settings = try ReaderSettings(host.options, limits)
        reader = NamespaceReader(view, settings, limits: limits, host: host)
    }

    func start() throws(PluginError) {
        try reader.start()
        remembered = host.loadCheckpoint().flatMap(BootRecord.init)
    }

    func collect(_ call: PluginCall) throws(PluginError) {
        try followNamespace()
        samples.removeAll()
        try reader.read(call, into: &samples)
        try commit(call)
    }

    func tick(_ call: PluginCall) throws(PluginError) {
        try reader.tick()
    }

    /// Starts from scratch when the name or the process belongs to another namespace than before, or to none: their
    /// counts have nothing in common.
    private func followNamespace() throws(PluginError) {
        guard !reader.isCurrent else { return }
        reader.close()
        reader = NamespaceReader(view, settings, limits: limits, host: host)
        try reader.start()
    }
}

extension ProcNetSource {
    /// Offers the samples until they are taken, the call is cancelled or its time is over.
    private func commit(_ call: PluginCall) throws(PluginError) {
        while true {
            let record = reader.record == remembered ? nil : reader.record
            switch host.commit(samples, checkpoint: record?.checkpoint) {
            case .taken:
                remembered = record ?? remembered
                return
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
