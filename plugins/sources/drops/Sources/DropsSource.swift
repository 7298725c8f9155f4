internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// Counts at tracepoints of the kernel, by programs that it loads there: dropped packets by reason, and what becomes of TCP
/// connections.
final class DropsSource: Source {
    /// An event that is counted.
    private struct Counted {
        let event: any KernelEvent
        let name: String
        let counter: EventCounter
        var missed: UInt64
    }

    private let host: PluginHost
    private let settings: DropsSettings
    private var counted: [Counted] = []
    private var sheet: SampleSheet?
    private var sums: [UInt64] = []
    private var lastTime = Timestamp(nanoseconds: 0)

    init(host: PluginHost) throws(PluginError) {
        self.host = host
        settings = try DropsSettings(host.options)
    }

    func start() throws(PluginError) {
        guard counted.isEmpty else { return }
        try settings.tracing.check(.here)
        let processors = Processors.possible
        var lacks: [PluginError] = []
        // Where one is refused the others are given up with it: closing them takes a moment, and a fresh start is clean.
        var opened: [Counted] = []
        for type in settings.events {
            do throws(Lack) {
                if let one = try open(type, processors) { opened.append(one) }
            } catch {
                switch error {
                case .ofKernel(let lack): lacks.append(lack)
                case .ofPrivilege(let refusal): throw refusal
                }
            }
        }
        guard !opened.isEmpty else { throw lacks[0] }
        for lack in lacks { host.reportTrouble(lack) }
        sheet = SampleSheet(host)
        lastTime = host.wallTime
        counted = opened
        host.log(.info, "counting at \(opened.map(\.name).joined(separator: ", "))")
    }

    /// Why an event is not counted.
    private enum Lack: Error {
        /// The kernel does not have it: all others are counted.
        case ofKernel(PluginError)
        /// Nothing can be counted.
        case ofPrivilege(PluginError)
    }

    private func open(_ type: any KernelEvent.Type, _ processors: Int) throws(Lack) -> Counted? {
        let place = type.tracepoint
        do throws(PluginError) {
            guard let (format, identifier) = try settings.tracing.read(place, .here) else {
                throw .kernelTooOld(place, "event", .here)
            }
            let event: any KernelEvent
            do throws(MissingField) { event = try type.init(format) } catch {
                throw .kernelTooOld(place, "field '\(error.name)'", .here)
            }
            do throws(SystemRefusal) {
                let counter = try EventCounter(event, identifier, processors: processors)
                return Counted(event: event, name: "\(place.group):\(place.name)", counter: counter, missed: 0)
            } catch {
                throw .refused(error, place, .here)
            }
        } catch {
            throw error.code == "SND-DRP004" || error.code == "SND-DRP008" ? .ofKernel(error) : .ofPrivilege(error)
        }
    }

    func collect(_ call: PluginCall) throws(PluginError) {
        guard let sheet else { throw PluginError("SND-DRP007", .programmer, "collect was called before start") }
        sheet.begin(at: host.wallTime)
        for one in counted {
            one.counter.read(into: &sums)
            one.event.report(sums, to: sheet)
        }
        sheet.end()
        reportMissed()
        try commit(sheet, call)
    }

    /// Enters the events that the kernel did not hand to the programs into the ledger.
    private func reportMissed() {
        let now = host.wallTime
        for index in counted.indices {
            guard let missed = counted[index].counter.missed, missed > counted[index].missed else { continue }
            host.reportLoss(
                reason: "nested_event", from: lastTime, to: now, count: missed - counted[index].missed)
            counted[index].missed = missed
        }
        lastTime = now
    }

    /// Offers the samples until they are taken; where the agent does not take them the counters have them the next time.
    private func commit(_ sheet: SampleSheet, _ call: PluginCall) throws(PluginError) {
        while true {
            switch sheet.commit() {
            case .taken: return
            case .stopping: throw .cancelled
            case .busy:
                guard host.monotonicTime < call.deadline else {
                    return host.log(.warning, PluginError.notTaken)
                }
                var cancel = pollfd(fd: call.cancelDescriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&cancel, 1, 100) <= 0 else { throw .cancelled }
            }
        }
    }
}
