internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// What else the route socket reports beside the counts of links: queueing disciplines and neighbours.
///
/// A kernel that does not report it, or fails to, takes nothing away from the links themselves.
final class LinkExtras {
    /// What can be asked for.
    enum Part: String, CaseIterable {
        /// Queueing disciplines.
        case queues
        /// The table of neighbours.
        case neighbours
        /// Virtual functions of network cards.
        case functions
    }

    private let host: PluginHost
    private let processorTime: () -> Nanoseconds
    private var parts: Set<Part>
    private var queues = QueueSeries()
    private var neighbours = NeighbourSeries()
    private var functions = FunctionSeries()
    /// A router may have a hundred thousand neighbours, a host of containers have tens of thousands of devices.
    private var pace: WalkPace
    private var queuePace: WalkPace
    /// Drivers ask their cards: some take milliseconds for each function.
    private var functionPace: WalkPace
    private var reported: UInt64 = 0

    init(_ parts: Set<Part>, budget: Double, host: PluginHost) {
        self.parts = parts
        self.host = host
        processorTime = ThreadTime.reader(host.tape)
        pace = WalkPace(percent: budget)
        queuePace = WalkPace(percent: budget)
        functionPace = WalkPace(percent: budget)
    }

    /// Series that the host refused since the last question.
    func takeRefused() -> UInt64 {
        let refused = queues.refused &+ neighbours.refused &+ functions.refused
        defer { reported = refused }
        return refused &- reported
    }

    /// Closes everything.
    func closeAll() {
        queues.closeAll(host)
        neighbours.closeAll(host)
        functions.closeAll(host)
    }

    /// Appends what is asked for at a collection that is repeated every `interval`.
    func append(
        _ reader: LinkReader,
        _ book: LinkBook,
        interval: Nanoseconds,
        to samples: inout SampleBuffer
    ) {
        let device = { (index: Int32) in book[index] }
        for part in Part.allCases where parts.contains(part) {
            do throws(NetlinkError) {
                switch part {
                case .queues: try appendQueues(reader, device, interval: interval, to: &samples)
                case .neighbours: try appendNeighbours(reader, device, interval: interval, to: &samples)
                case .functions: try appendFunctions(reader, book.all, interval: interval, to: &samples)
                }
            } catch {
                guard error.isRefusal || error.isAbsence else { continue }
                parts.remove(part)
                host.log(.debug, "the kernel does not report \(part.rawValue): \(error.message)")
            }
        }
    }

    private func appendQueues(
        _ reader: LinkReader,
        _ device: (Int32) -> LinkDevice?,
        interval: Nanoseconds,
        to samples: inout SampleBuffer
    ) throws(NetlinkError) {
        let now = host.monotonicTime
        guard queuePace.isDue(at: now, interval: interval) else { return }
        let before = processorTime()
        let reports = try reader.queues(from: [QueueReport]()) { reports, report in
            // Those that are not reported would only be thrown away afterwards.
            if device(report.index)?.role == .alone { reports.append(report) }
        }
        queuePace.walked(at: now, cost: Nanoseconds(processorTime().value &- before.value))
        queues.append(reports.value, device, to: &samples, host)
    }

    private func appendNeighbours(
        _ reader: LinkReader,
        _ device: (Int32) -> LinkDevice?,
        interval: Nanoseconds,
        to samples: inout SampleBuffer
    ) throws(NetlinkError) {
        let now = host.monotonicTime
        guard pace.isDue(at: now, interval: interval) else { return }
        let before = processorTime()
        let counts = try reader.neighbours(from: NeighbourSeries.Counts()) { $0.add($1) }
        pace.walked(at: now, cost: Nanoseconds(processorTime().value &- before.value))
        neighbours.append(counts.value, device, to: &samples, host)
    }

    private func appendFunctions(
        _ reader: LinkReader,
        _ devices: [LinkDevice],
        interval: Nanoseconds,
        to samples: inout SampleBuffer
    ) throws(NetlinkError) {
        let now = host.monotonicTime
        guard functionPace.isDue(at: now, interval: interval) else { return }
        let before = processorTime()
        var reports: [(device: LinkDevice, functions: [VirtualFunctionReport])] = []
        for device in devices where device.link.isPhysical && device.role == .alone {
            if let found = try read(device, reader), !found.isEmpty { reports.append((device, found)) }
        }
        let cost = Nanoseconds(processorTime().value &- before.value)
        // Where there are none they are looked for as rarely as can be.
        functionPace.walked(at: now, cost: reports.isEmpty ? WalkPace.longest : cost)
        functions.append(reports, to: &samples, host)
    }

    /// Nil for a device that is gone, or has more functions than an answer can hold.
    private func read(
        _ device: LinkDevice,
        _ reader: LinkReader
    ) throws(NetlinkError) -> [VirtualFunctionReport]? {
        do throws(NetlinkError) {
            return try reader.virtualFunctions(of: device.link.index, limit: FunctionSeries.limit)
        } catch {
            guard error.isAbsence || error.isOversized else { throw error }
            return nil
        }
    }
}
