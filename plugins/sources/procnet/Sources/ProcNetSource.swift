internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// Reads the kernel's network tables below `/proc/net`.
final class ProcNetSource: Source {
    private let host: PluginHost
    private let proc: String
    private let limits: TableLimits
    private let readers: [TableReader]
    private let buffer = ReadBuffer()
    private var samples = SampleBuffer()
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
        self.host = host
        self.proc = proc
        self.limits = limits
        readers = try Self.tables(host.options).map { TableReader($0, proc: proc, limits: limits, host: host) }
    }

    func start() throws(PluginError) {
        boot = BootTime.read(proc: proc, into: buffer, limit: limits.fileSize)
        if started == nil { started = host.wallTime }
        let descriptor = open("\(proc)/net", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor < 0 else {
            _ = close(descriptor)
            return
        }
        throw ReadFailure(errno: errno).pluginError("\(proc)/net")
    }

    func collect(_ call: PluginCall) throws(PluginError) {
        let times = ReadingTimes(boot: boot, now: call.time)
        samples.removeAll()
        for reader in readers { reader.read(times, into: &samples, buffer: buffer) }
        try requireOneTable()
        appendSkipped()
        try commit(call)
    }

    private static func tables(_ options: Options) throws(PluginError) -> [ProcTable] {
        var tables: [ProcTable] = []
        for (index, name) in options.list("tables").enumerated() {
            guard let table = ProcTable(rawValue: name) else {
                throw PluginError(
                    "SND-PRC006",
                    .configuration,
                    "there is no table '\(name)'",
                    hint: "Use \(ProcTable.allCases.map(\.rawValue).joined(separator: ", ")).",
                    optionPath: "tables[\(index)]"
                )
            }
            if !tables.contains(table) { tables.append(table) }
        }
        return tables.isEmpty ? ProcTable.allCases : tables
    }

    private func requireOneTable() throws(PluginError) {
        guard let first = readers.first, let failure = first.failure else { return }
        guard readers.allSatisfy({ $0.failure != nil }) else { return }
        // What most tables share says more than what one of them met: a file that is there outweighs absent ones.
        let worst = readers.first { $0.failure != .absent } ?? first
        throw (worst.failure ?? failure).pluginError("\(proc)/\(worst.table.path)")
    }

    private func appendSkipped() {
        for problem in InputProblem.allCases {
            var total: UInt64 = 0
            for reader in readers { total &+= reader.problems[problem] }
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
