internal import SondeDomain
internal import SondeFormats

extension DashboardState {
    /// The rows of the page.
    public var table: DashboardTable {
        var table =
            switch tab {
            case .overview: overview
            case .interfaces: interfaces
            case .connections: connections
            case .services: services
            case .talkers: talkers
            case .dns: dns
            case .plugins: plugins
            }
        table.arrange(sort, filter: filter, showsIdle: showsIdleRows || tab == .overview || tab == .plugins)
        return table
    }

    private static let waiting = "waiting for the agent"

    /// What is said where nothing is known: why, once a snapshot is here.
    private func absence(_ reason: String) -> String {
        snapshot.value == nil ? Self.waiting : reason
    }

    private var views: [SnapshotView] { snapshot.value?.views ?? [] }

    // MARK: Overview

    private var overview: DashboardTable {
        var table = DashboardTable(
            ["HOST", "CURRENT", "AVERAGE", "PEAK"], of: "rows", absence: absence("no source reports anything yet"))
        table.allRows = views.flatMap { view in
            switch view.content {
            case .bandwidth(_, let total): total.map(Self.bandwidth) ?? []
            case .connections(let groups): groups.prefix(2).map(Self.sockets)
            case .dns(let parts): parts.last.map(Self.nameService) ?? []
            case .drops(let reasons): [Self.drops(reasons)]
            }
        }
        return table
    }

    private static func bandwidth(_ total: SnapshotView.Interface) -> [DashboardTable.Row] {
        [
            row(.bandwidthReceive, "receive, \(total.name)", total.receive),
            row(.bandwidthTransmit, "transmit, \(total.name)", total.transmit),
        ]
    }

    private static func sockets(_ group: SnapshotView.ConnectionGroup) -> DashboardTable.Row {
        group.transport == "tcp"
            ? row(.connectionsTCP, "tcp connections", group.count) : row(nil, "udp sockets", group.count)
    }

    private static func nameService(_ part: SnapshotView.DNSPart) -> [DashboardTable.Row] {
        [
            row(.dnsQueries, "dns queries", part.rate),
            DashboardTable.Row(
                id: "dns failures",
                texts: ["dns failures within 1h", QuantityText.count(part.failures), "", ""],
                subject: DashboardTable.Subject(metric: .dnsFailures)),
            DashboardTable.Row(
                id: "dns latency",
                texts: ["dns latency, 95 % below", UnitText.text(part.latency, "s"), "", ""],
                subject: DashboardTable.Subject(metric: .dnsLatency)),
        ]
    }

    private static func drops(_ reasons: [SnapshotView.Drop]) -> DashboardTable.Row {
        let known = reasons.compactMap(\.packets)
        let packets = known.isEmpty ? nil : known.reduce(0, +)
        return DashboardTable.Row(
            id: "drops", texts: ["packets dropped within 1h", QuantityText.count(packets), "", ""])
    }

    private static func row(
        _ metric: HistoryMetric?, _ name: String, _ values: SnapshotView.Values
    ) -> DashboardTable.Row {
        let unit = metric?.unit ?? ""
        return DashboardTable.Row(
            id: metric?.rawValue ?? name,
            texts: [name] + [values.current, values.average, values.peak].map { UnitText.text($0, unit) },
            values: values,
            subject: metric.map { DashboardTable.Subject(metric: $0, member: $0.wholeMember) })
    }

    // MARK: Interfaces and connections

    private var interfaces: DashboardTable {
        let metric = metric ?? .bandwidthReceive
        let isReceive = metric == .bandwidthReceive
        let names = isReceive ? ["RECEIVE", "TRANSMIT"] : ["TRANSMIT", "RECEIVE"]
        var table = DashboardTable(
            ["INTERFACE", names[0], "AVERAGE", "PEAK", names[1]], of: "interfaces",
            absence: absence("no interface is known: they come with a source procnet"))
        for view in views {
            guard case .bandwidth(let interfaces, _) = view.content else { continue }
            table.allRows = interfaces.map { interface in
                let (main, other) =
                    isReceive ? (interface.receive, interface.transmit) : (interface.transmit, interface.receive)
                let numbers = [main.current, main.average, main.peak, other.current].map { QuantityText.rate($0) }
                return DashboardTable.Row(
                    id: interface.name, texts: [interface.name] + numbers, values: main,
                    subject: DashboardTable.Subject(metric: metric, member: interface.name),
                    course: course(of: metric, interface.name),
                    isIdle: !main.isAnything && !other.isAnything)
            }
        }
        return table
    }

    private var connections: DashboardTable {
        var table = DashboardTable(
            ["TRANSPORT", "STATE", "CURRENT", "AVERAGE", "PEAK"], wordCount: 2, of: "states",
            absence: absence("no connection is known: they come with a source procnet"))
        for view in views {
            guard case .connections(let groups) = view.content else { continue }
            table.allRows = groups.map { group in
                let metric = HistoryMetric(rawValue: "connections.\(group.transport)")
                let numbers = [group.count.current, group.count.average, group.count.peak]
                return DashboardTable.Row(
                    id: "\(group.transport) \(group.state)",
                    texts: [group.transport, group.state] + numbers.map { QuantityText.count($0) }, values: group.count,
                    subject: metric.map { DashboardTable.Subject(metric: $0, member: group.state) },
                    course: metric.flatMap { course(of: $0, group.state) }, isIdle: !group.count.isAnything)
            }
        }
        return table
    }

    private func course(of metric: HistoryMetric, _ member: String) -> [Double?]? {
        guard let all = courses.value, all.subject.metric == metric else { return nil }
        return all.members[member]
    }

    // MARK: Services and talkers

    private var services: DashboardTable {
        DashboardTable(
            ranking: ["SERVICE", "CONNECTIONS", "BYTES"], of: "services", [],
            absence: absence("the snapshots of this agent have no services"))
    }

    private var talkers: DashboardTable {
        DashboardTable(
            ranking: ["TALKER", "BYTES"], of: "talkers", [],
            absence: absence("the snapshots of this agent have no talkers; they take a source pcap"))
    }

    // MARK: Name service

    private var dns: DashboardTable {
        var table = DashboardTable(
            ["SEEN", "QUERIES/S", "AVERAGE", "PEAK", "QUERIES", "FAILED", "P95"], of: "rows",
            absence: absence("nothing is known of name service: it takes a source pcap or dnslog"))
        for view in views {
            guard case .dns(let parts) = view.content else { continue }
            table.allRows = parts.map { part in
                let rates = [part.rate.current, part.rate.average, part.rate.peak].map { QuantityText.count($0) }
                let counts = [QuantityText.count(part.queries), QuantityText.count(part.failures)]
                return DashboardTable.Row(
                    id: part.name, texts: [part.name] + rates + counts + [UnitText.text(part.latency, "s")],
                    values: part.rate)
            }
        }
        return table
    }

    // MARK: Plugins

    private var plugins: DashboardTable {
        var table = DashboardTable(
            ["ID", "PLUGIN", "STATE", "SUCCESS", "WAITING", "NEXT"], wordCount: 3, of: "sources and sinks",
            absence: status.value == nil ? Self.waiting : "this agent has no source and no sink")
        guard let state = status.value else { return table }
        table.allRows = state.instances.map { instance in
            let words = [instance.id, instance.plugin ?? StatusText.unknown, instance.state ?? StatusText.unknown]
            let waiting = instance.queue.map { StatusText.count($0.points) } ?? ""
            let times = [
                AgeText.since(instance.lastSuccess, at: state.time), waiting,
                AgeText.until(instance.nextAttempt, at: state.time),
            ]
            return DashboardTable.Row(
                id: instance.id, texts: (words + times).map(HarmlessText.line),
                values: SnapshotView.Values(current: instance.queue?.points.map(Double.init)),
                subject: instance.queue.map { _ in
                    DashboardTable.Subject(metric: .agentWaiting, member: instance.id)
                }, isFailing: instance.isFailing)
        }
        return table
    }
}

extension SnapshotView.Values {
    /// Whether anything but 0 is known.
    fileprivate var isAnything: Bool { [current, average, peak].contains { ($0 ?? 0) != 0 } }
}
