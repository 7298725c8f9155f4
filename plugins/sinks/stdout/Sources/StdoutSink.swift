internal import Glibc
internal import SondeDomain
internal import SondeFormats
internal import SondePluginKit

/// Shows snapshots as a table, or writes points as lines, on standard output.
final class StdoutSink: Sink {
    /// What of an interrupted batch is written already: the rest follows when the batch is offered again.
    private struct Interruption {
        let identity: BatchIdentity
        let offset: Int
        /// Whether the last line was torn.
        let isWithinLine: Bool
    }

    private let format: StdoutConfiguration.Format
    private let output: OutputDescriptor
    private var table: TablePainter
    private var encoder: (any BatchEncoder)?
    private var buffer = ByteBuffer()
    private var interruption: Interruption?
    private let report: (String) -> Void

    convenience init(host: PluginHost) throws(PluginError) {
        let settings = try StdoutConfiguration(host.options)
        if case .table = settings.format {
            host.preferSend(metrics: false, snapshots: true)
        } else {
            host.preferSend(metrics: true, snapshots: false)
        }
        self.init(
            settings: settings,
            output: OutputDescriptor(STDOUT_FILENO) { host.monotonicTime },
            terminal: .real,
            report: { host.log(.warning, $0) }
        )
    }

    /// A sink with everything given; `report` takes what belongs into the agent's log.
    init(
        settings: StdoutConfiguration,
        output: OutputDescriptor,
        terminal: Terminal,
        report: @escaping (String) -> Void = { _ in }
    ) {
        format = settings.format
        self.output = output
        self.report = report
        table = TablePainter(color: settings.color, rows: settings.rows, terminal: terminal)
        if case .lines(let lines) = settings.format { encoder = lines.makeEncoder() }
    }

    func start() throws(PluginError) {
        output.open()
    }

    func deliver(_ batch: Batch, _ call: PluginCall) throws(PluginError) -> Delivery {
        buffer.removeAll()
        var leftOut = batch.entries.count
        var reason = "the table shows snapshots only"
        if var encoder {
            leftOut = encoder.encode(batch, into: &buffer).leftOut
            reason = "the format cannot say these points"
            self.encoder = encoder
        } else {
            for note in table.paint(batch.documents, on: output.rawValue, into: &buffer) { report(note) }
        }
        try write(batch.identity, call)
        return Delivery(rejectedPoints: UInt64(leftOut), message: leftOut > 0 ? reason : "")
    }

    /// Writes the buffer, or what is left of it since the last attempt.
    private func write(_ identity: BatchIdentity, _ call: PluginCall) throws(PluginError) {
        var offset = 0
        if let interruption {
            if interruption.identity == identity, interruption.offset <= buffer.count {
                offset = interruption.offset
            } else if interruption.isWithinLine {
                var start = 0
                try output.write([0x0a], from: &start, call)
            }
        }
        interruption = nil
        do {
            try output.write(buffer.bytes, from: &offset, call)
        } catch {
            // A frame of the live table is repainted as a whole: it begins at the top of the window.
            if !table.isLive {
                let isWithinLine = offset > 0 && buffer.bytes[offset - 1] != 0x0a
                interruption = Interruption(identity: identity, offset: offset, isWithinLine: isWithinLine)
            }
            throw error
        }
    }
}
