internal import SondeFormats

/// A dashboard as a page in a browser gets it: JSON, of which only the members are sent that have changed.
///
/// Nothing in its texts steers a terminal; what is markup to a browser is in them as it was read.
public struct DashboardDocument {
    private var sent: [DashboardMember: [UInt8]] = [:]
    // A thousand points are written only when they have changed.
    private var chart: DashboardPlot?

    /// A document of which nothing was sent.
    public init() {}

    /// An object of the members that have changed since the last call, all of them at first; nil: none has.
    public mutating func changes(in state: DashboardState) -> [UInt8]? {
        let content = DashboardContent(state)
        var json = JSONWriter()
        var hasChanged = false
        json.object { json in
            for member in DashboardMember.allCases {
                guard let bytes = change(member, content) else { continue }
                hasChanged = true
                json.member(member.rawValue) { $0.raw(bytes) }
            }
        }
        return hasChanged ? json.bytes : nil
    }

    private mutating func change(_ member: DashboardMember, _ content: DashboardContent) -> [UInt8]? {
        if member == .series {
            let plot = content.plot
            if sent[member] != nil, plot == chart { return nil }
            chart = plot
        }
        var json = JSONWriter()
        content.write(member, to: &json)
        let bytes = json.bytes
        guard sent[member] != bytes else { return nil }
        sent[member] = bytes
        return bytes
    }
}

/// The members of a document, in their order.
enum DashboardMember: String, CaseIterable {
    case agent, paused, loading, tabs, tab, ranges, range, metrics, metric, charts, chart, sorts, sort, filter
    case showsIdleRows, lists, list, failure, failures, drop, order, export, series, span, table, time
}
