@testable import PcapPlugin

/// What holds for every analysis of live capture when its last packet has come, for any packets.
enum TrafficInvariants {
    private static let cells = FlowCell.all

    /// The rules that an analysis of `packets` packets within `settings` breaks.
    static func broken(
        _ analysis: borrowing TrafficAnalysis, packets: UInt64, _ flows: FlowSettings, _ dns: DNSSettings
    ) -> [String] {
        var broken: [String] = []
        switch analysis.flows {
        case .some(let tracker): broken += rules(tracker, packets, flows).filter { !$0.1 }.map(\.0)
        case .none: broken.append("flows are followed")
        }
        switch analysis.dns {
        case .some(let monitor): broken += rules(monitor, dns).filter { !$0.1 }.map(\.0)
        case .none: broken.append("DNS is followed")
        }
        return broken
    }

    private static func rules(
        _ tracker: borrowing FlowTracker, _ packets: UInt64, _ settings: FlowSettings
    ) -> [(String, Bool)] {
        let totals = (tracker.totals.started, tracker.totals.ended, tracker.totals.active)
        var counted = tracker.totals.withoutFlow.packets
        for cell in cells { counted += tracker.totals[cell].packets }
        return [
            ("active flows are in the table", totals.2 == UInt64(tracker.table.count)),
            ("a flow ends once", totals.1 <= totals.0),
            // One that has lasted too long continues as a new one.
            ("a packet begins two flows at most", totals.0 <= packets * 2),
            ("the table stays within its bound", tracker.table.byteCount <= settings.bytes),
            ("every packet is counted once", counted == packets),
        ]
    }

    private static func rules(_ monitor: borrowing DNSMonitor, _ settings: DNSSettings) -> [(String, Bool)] {
        func total(_ counter: DNSCounter, _ monitor: borrowing DNSMonitor) -> UInt64 {
            monitor.totals.lanes.total(counter)
        }
        let begun = total(.queries, monitor) - total(.repeatedQueries, monitor)
        let ended =
            total(.answered, monitor) + monitor.transactions.unanswered.total + monitor.transactions.evicted.total
        let responses = [.answered, .repeatedResponses, .lateResponses, .unsolicitedResponses] as [DNSCounter]
        var judged: UInt64 = 0
        for counter in responses { judged += total(counter, monitor) }
        return [
            ("a transaction ends once", begun == ended),
            ("a response is judged once", judged == total(.responses, monitor)),
            ("transactions are limited", monitor.transactions.count <= settings.transactions.transactions),
            ("streams are limited", monitor.reassembly.count <= settings.reassembly.streams),
            ("what streams hold is limited", monitor.reassembly.byteCount <= settings.reassembly.bytes),
        ]
    }
}
