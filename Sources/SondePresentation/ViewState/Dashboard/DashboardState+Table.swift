internal import SondeDomain
internal import SondeFormats

extension DashboardState {
    /// The rows of the page.
    public var table: DashboardTable {
        var table =
            switch tab {
            case .overview: list == nil ? overview : moved
            case .interfaces: interfaces
            case .connections: connections
            case .services, .talkers: ranking(list ?? "")
            case .dns: list.map(ranking) ?? dns
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
            ["HOST", "CURRENT", "AVERAGE", "PEAK", "OF"], of: "rows",
            absence: absence("no source reports anything yet"))
        table.title = movedTitle
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

    /// What has moved first, and how many with it; nil: nothing is known to have.
    private var movedTitle: String? {
        guard let known = changes.value, let first = known.changes.first else { return nil }
        let count = known.moved == 1 ? "1 series has" : "\(known.moved) series have"
        return "\(count) moved: \(Self.text(first))"
    }

    private static func text(_ change: ChangesState.Change) -> String {
        HarmlessText.line("\(change.nameText) \(change.factorText) since \(change.timeText)")
    }

    /// What has moved from what is usual, the most unusual first.
    private var moved: DashboardTable {
        var table = DashboardTable(
            ["SERIES", "SOURCE", "USUAL", "NOW", "CHANGE", "SINCE"], wordCount: 2, of: "changes",
            absence: changes.value?.nothingText ?? changes.failure?.message ?? Self.waiting)
        guard let known = changes.value else { return table }
        if known.compared > 0 { table.title = "compared with \(known.referenceText)" }
        table.allRows = known.changes.map { change in
            let texts = [
                change.nameText, change.source, change.usualText, change.valueText, change.factorText,
                change.timeText + (known.isMarked(change) ? " *" : ""),
            ]
            return DashboardTable.Row(
                id: "\(change.nameText) \(change.source)", texts: texts.map(HarmlessText.line),
                values: SnapshotView.Values(current: change.value, average: change.usual),
                subject: HistoryMetric(rawValue: change.metric).map {
                    DashboardTable.Subject(metric: $0, member: change.member)
                })
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
                texts: ["dns failures within 1h", QuantityText.count(part.failures), "", "", ""],
                subject: DashboardTable.Subject(metric: .dnsFailures)),
            DashboardTable.Row(
                id: "dns latency",
                texts: ["dns latency, 95 % below", UnitText.text(part.latency, "s"), "", "", ""],
                subject: DashboardTable.Subject(metric: .dnsLatency)),
        ]
    }

    private static func drops(_ reasons: [SnapshotView.Drop]) -> DashboardTable.Row {
        let known = reasons.compactMap(\.packets)
        let packets = known.isEmpty ? nil : known.reduce(0, +)
        return DashboardTable.Row(
            id: "drops", texts: ["packets dropped within 1h", QuantityText.count(packets), "", "", ""])
    }

    private static func row(
        _ metric: HistoryMetric?, _ name: String, _ values: SnapshotView.Values
    ) -> DashboardTable.Row {
        let unit = metric?.unit ?? ""
        return DashboardTable.Row(
            id: metric?.rawValue ?? name,
            texts: [name] + [values.current, values.average, values.peak].map { UnitText.text($0, unit) }
                + [QuantityText.step(ofPeak: values)],
            values: values,
            subject: metric.map { DashboardTable.Subject(metric: $0, member: $0.wholeMember) })
    }

    // MARK: Interfaces and connections

    private var interfaces: DashboardTable {
        let metric = metric ?? .bandwidthReceive
        let isReceive = metric == .bandwidthReceive
        let names = isReceive ? ["RECEIVE", "TRANSMIT"] : ["TRANSMIT", "RECEIVE"]
        var table = DashboardTable(
            ["INTERFACE", names[0], "AVERAGE", "PEAK", "OF", names[1]], of: "interfaces",
            absence: absence("no interface is known: they come with a source procnet"))
        for view in views {
            guard case .bandwidth(let interfaces, _) = view.content else { continue }
            table.allRows = interfaces.map { interface in
                let (main, other) =
                    isReceive ? (interface.receive, interface.transmit) : (interface.transmit, interface.receive)
                let numbers =
                    [main.current, main.average, main.peak].map { QuantityText.rate($0) }
                    + [QuantityText.step(ofPeak: main), QuantityText.rate(other.current)]
                return DashboardTable.Row(
                    id: interface.name, texts: [interface.name] + numbers, values: main,
                    subject: DashboardTable.Subject(metric: metric, member: interface.name),
                    course: course(of: metric, interface.name),
                    isIdle: interface.isQuiet)
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
                    course: metric.flatMap { course(of: $0, group.state) }, isIdle: group.isQuiet)
            }
        }
        return table
    }

    private func course(of metric: HistoryMetric, _ member: String) -> [Double?]? {
        guard let all = courses.value, all.subject.metric == metric else { return nil }
        return all.members[member]
    }

    // MARK: Services, talkers and other lists

    /// The rows of a list of the heaviest; those of several sources stand among each other.
    private func ranking(_ name: String) -> DashboardTable {
        let known = lists?.named(name) ?? []
        let isWhole = isListCut && wholeList.value?.name == name
        let shown = isWhole ? [wholeList.value].compactMap(\.self) : known
        let isOne = shown.count < 2
        let isRate = shown.first.map { $0.unit == "By" && $0.interval != nil } ?? false
        var table = DashboardTable(
            [Self.rowTitle(name)] + (isOne ? [] : ["SOURCE"]) + [isRate ? "RATE" : "COUNT", "SHARE"],
            wordCount: isOne ? 1 : 2, of: String(name.prefix { $0 != "." }), absence: absence(of: name))
        guard let first = shown.first else { return table }
        let over = first.interval.map { "last \(QuantityText.step($0))" }
        let moved = tab == .talkers ? movedBandwidth : nil
        table.title = [first.title, isOne ? HarmlessText.line(first.source) : nil, over, moved]
            .compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " · ")
        let rows = shown.flatMap { list in list.rows.map { Self.row($0.label, $0.value, of: list, isOnly: isOne) } }
        table.allRows = isOne ? rows : rows.sorted { ($0.values.current ?? 0) > ($1.values.current ?? 0) }
        for list in shown {
            guard let rest = list.rest, rest > 0 else { continue }
            table.allRows.append(Self.row("(all others)", rest, of: list, isOnly: isOne))
        }
        return table
    }

    private static func row(
        _ label: String, _ value: Double?, of list: DashboardList, isOnly: Bool
    ) -> DashboardTable.Row {
        let source = isOnly ? [] : [HarmlessText.line(list.source)]
        return DashboardTable.Row(
            id: ([label] + source).joined(separator: " "),
            texts: [label] + source + [text(value, of: list), share(value, list.total)],
            values: SnapshotView.Values(current: value, average: value, peak: value))
    }

    /// The first change of bandwidth; nil: none is known.
    private var movedBandwidth: String? {
        let change = changes.value?.changes.first { HistoryMetric(rawValue: $0.metric)?.domain == "bandwidth" }
        return change.map(Self.text)
    }

    /// What a row of a list is, over its column.
    private static func rowTitle(_ name: String) -> String {
        switch name {
        case "talkers.addresses": "ADDRESS"
        case "talkers.ports": "PORT"
        case "talkers.protocols": "PROTOCOL"
        case "talkers.conversations": "CONVERSATION"
        case "services.bytes", "services.connections": "SERVICE"
        case "dns.clients": "CLIENT"
        default: "NAME"
        }
    }

    private func absence(of name: String) -> String {
        guard let lists else { return absence("the snapshots of this agent have no lists: it is of an older version") }
        guard let needs = lists.needs[name], !needs.isEmpty else { return "nothing was counted of this yet" }
        return "no source reports this: it needs \(needs)"
    }

    private static func text(_ value: Double?, of list: DashboardList) -> String {
        guard list.unit == "By" else { return QuantityText.count(value) }
        guard let interval = list.interval else { return UnitText.text(value, "By") }
        return QuantityText.rate(value.map { $0 / interval })
    }

    private static func share(_ value: Double?, _ total: Double?) -> String {
        guard let value, let total, total > 0 else { return "" }
        return "\(QuantityText.count((value / total * 1_000).rounded() / 10)) %"
    }

    // MARK: Name service

    private var dns: DashboardTable {
        var table = DashboardTable(
            ["SEEN", "QUERIES/S", "AVERAGE", "PEAK", "QUERIES", "FAILED", "P95"], of: "rows",
            absence: absence("nothing is known of name service: it takes a source pcap or dnslog"))
        table.title = failingNames
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

    /// The name that fails most, as each source sees it; nil: none does.
    private var failingNames: String? {
        let names = (lists?.named("dns.failing_names") ?? []).compactMap { list in
            list.rows.first.map {
                "\($0.label) \(Self.text($0.value, of: list)) (\(HarmlessText.line(list.source)))"
            }
        }
        return names.isEmpty ? nil : "names that fail: \(names.joined(separator: ", "))"
    }

    // MARK: Plugins

    private var plugins: DashboardTable {
        var table = DashboardTable(
            ["ID", "PLUGIN", "STATE", "LAST OK", "WAITING", "NEXT"], wordCount: 3, of: "sources and sinks",
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
