internal import SondeDomain

extension SnapshotPage {
    private static let mostFailures = 1_024
    private static let mostDrops = 8
    private static let mostLists = 256

    /// The page of a document, `sonde.snapshot/2` or the one before it, which has no lists.
    ///
    /// Members that are missing or of another type are taken as not known.
    public init(json: [UInt8]) throws(Refusal) {
        try self.init(Self.parse(json))
    }

    /// The page of a document that was read already.
    public init(_ document: JSONValue) throws(Refusal) {
        let schema = document["schema"]?.asString ?? ""
        guard [Snapshot.schema, "sonde.snapshot/1"].contains(schema) else {
            throw .unknown("schema '\(DisplayText.safe(schema))'")
        }
        host = SnapshotView.text(document["host"])
        time = SnapshotView.text(document["time"])
        views = ["bandwidth", "connections", "dns", "drops"].compactMap { domain in
            document[domain].flatMap { SnapshotView(domain, $0, of: document) }
        }
        failures = (document["failures"]?.asArray ?? []).prefix(Self.mostFailures).compactMap(Failure.init)
        lists = (document["lists"]?.asArray ?? []).prefix(Self.mostLists).compactMap(List.init)
        absentLists = (document["absent_lists"]?.asArray ?? []).prefix(Self.mostLists).compactMap(AbsentList.init)
        drops = (document["drops"]?["beside"]?.asArray ?? []).prefix(Self.mostDrops).compactMap(Drop.init)
    }

    private static func parse(_ json: [UInt8]) throws(Refusal) -> JSONValue {
        do {
            return try JSONReader.parse(json)
        } catch {
            throw .malformed(error.description)
        }
    }
}

extension SnapshotPage.Failure {
    fileprivate init?(_ json: JSONValue) {
        guard let code = SnapshotView.text(json["code"]) else { return nil }
        self.init(
            instance: SnapshotView.text(json["plugin"]) ?? "",
            code: code,
            since: SnapshotView.text(json["since"]),
            message: SnapshotView.sentence(json["message"]) ?? "",
            advice: (json["advice"]?.asArray ?? []).prefix(4).compactMap { SnapshotView.sentence($0) })
    }
}

extension SnapshotPage.List {
    fileprivate init?(_ json: JSONValue) {
        guard let title = SnapshotView.text(json["title"]), let rows = json["rows"]?.asArray else { return nil }
        self.init(
            title: title,
            source: SnapshotView.text(json["source"]) ?? "",
            unit: SnapshotView.text(json["unit"]) ?? "",
            interval: json["interval_seconds"]?.asDouble.flatMap { $0 > 0 && $0 < 1e6 ? $0 : nil },
            total: json["total"]?.asDouble,
            count: json["count"]?.asInt64.map { Int(clamping: $0) } ?? rows.count,
            rows: rows.prefix(Snapshot.rowsInDocument).compactMap(Row.init))
    }
}

extension SnapshotPage.List.Row {
    fileprivate init?(_ json: JSONValue) {
        guard let label = SnapshotView.sentence(json["label"]) else { return nil }
        self.init(label: label, value: json["value"]?.asDouble)
    }
}

extension SnapshotPage.AbsentList {
    fileprivate init?(_ json: JSONValue) {
        guard let title = SnapshotView.text(json["title"]) else { return nil }
        self.init(title: title, needs: SnapshotView.sentence(json["needs"]) ?? "")
    }
}

extension SnapshotPage.Drop {
    fileprivate init?(_ json: JSONValue) {
        guard let counter = SnapshotView.text(json["counter"]) else { return nil }
        let top = json["top"]
        self.init(
            counter: counter,
            packets: json["count"]?.asDouble,
            reason: SnapshotView.text(top?["reason"]),
            meaning: SnapshotView.sentence(top?["meaning"]),
            advice: SnapshotView.sentence(top?["advice"]))
    }
}

extension SnapshotView {
    private static let mostRows = 10_000

    /// One part of a document; nil: it is not known.
    fileprivate init?(_ domain: String, _ part: JSONValue, of document: JSONValue) {
        guard part.asObject != nil else { return nil }
        switch domain {
        case "bandwidth":
            let interfaces = (part["interfaces"]?.asObject ?? []).prefix(Self.mostRows)
            content = .bandwidth(
                Interface.busiestFirst(
                    interfaces.map { member in
                        var interface = Interface(member.value, name: .string(member.key))
                        interface.isCovered = Self.isCovered(member.value, document)
                        return interface
                    }),
                total: Interface(uplinksOf: part))
        case "drops": content = .drops(Drop.rows(of: part))
        case "connections":
            content = .connections(ConnectionGroup.rows(of: part, isCovered: Self.isCovered(part, document)))
        default:
            content = .dns(
                ["wire", "log", "joined"].compactMap { name in part[name].flatMap { DNSPart(name, $0) } })
        }
        self.domain = domain
        source = Self.text(part["source"]) ?? Self.text(part["joined"]?["source"]) ?? ""
        window = Self.text(document["window"]) ?? QuantityText.unknown
    }

    /// Whether a part covers nine tenths of the window: a kill takes the last minute of the history.
    private static func isCovered(_ part: JSONValue, _ document: JSONValue) -> Bool {
        guard let covered = part["covered_seconds"]?.asDouble,
            let window = document["window"]?.asString.flatMap({ try? DurationText.parse($0) })
        else { return false }
        return covered >= window.seconds * 0.9
    }

    fileprivate static func text(_ value: JSONValue?) -> String? {
        value?.asString.map { DisplayText.clip(DisplayText.safe($0), to: 64) }
    }

    fileprivate static func sentence(_ value: JSONValue?) -> String? {
        value?.asString.map { DisplayText.safe(String($0.prefix(400))) }
    }
}

extension SnapshotView.Values {
    fileprivate init(_ json: JSONValue?) {
        self.init(
            current: json?["current"]?.asDouble,
            average: json?["average"]?.asDouble,
            peak: json?["peak"]?.asDouble,
            peakStep: json?["peak_step_seconds"]?.asDouble.flatMap { $0 > 0 && $0 < 1e6 ? $0 : nil }
        )
    }
}

extension SnapshotView.Interface {
    fileprivate init(_ json: JSONValue, name: JSONValue?) {
        self.init(
            name: SnapshotView.text(name) ?? QuantityText.unknown,
            receive: SnapshotView.Values(json["receive"]),
            transmit: SnapshotView.Values(json["transmit"])
        )
    }

    /// The uplinks together, when the document names them.
    fileprivate init?(uplinksOf json: JSONValue) {
        guard let names = json["uplinks"]?.asArray?.compactMap(\.asString), !names.isEmpty else { return nil }
        self.init(json, name: .string("total " + names.joined(separator: " + ")))
    }
}

extension SnapshotView.ConnectionGroup {
    private static let mostStates = 64

    /// The total first, then what is known by protocol and state.
    fileprivate static func rows(of json: JSONValue, isCovered: Bool) -> [Self] {
        var rows = [Self(transport: "tcp", state: "connected", count: SnapshotView.Values(json))]
        if let udp = json["by_protocol"]?["udp"]?.asDouble {
            rows.append(Self(transport: "udp", state: "in_use", count: SnapshotView.Values(current: udp)))
        }
        for member in json["by_state"]?.asObject ?? [] {
            for state in (member.value.asObject ?? []).prefix(mostStates) {
                let peak = json["state_peaks"]?[member.key]?[state.key]?.asDouble
                let count = SnapshotView.Values(current: state.value.asDouble, peak: peak)
                let (transport, name) = (SnapshotView.text(.string(member.key)), SnapshotView.text(.string(state.key)))
                rows.append(
                    Self(transport: transport ?? "", state: name ?? "", count: count, isCovered: isCovered))
            }
        }
        return rows
    }
}

extension SnapshotView.Drop {
    private static let mostRows = 64

    fileprivate static func rows(of json: JSONValue) -> [Self] {
        let reasons = (json["reasons"]?.asArray ?? []).prefix(mostRows).map { reason in
            Self(reason: SnapshotView.text(reason["reason"]), packets: reason["count"]?.asDouble, counters: [])
        }
        return (json["beside"]?.asArray ?? []).prefix(mostRows).reduce(into: reasons) { rows, beside in
            guard let name = SnapshotView.text(beside["counter"]) else { return }
            let counter = "\(name) \(QuantityText.count(beside["count"]?.asDouble))"
            let top = SnapshotView.text(beside["top"]?["reason"])
            if let row = rows.firstIndex(where: { $0.reason == top }) {
                rows[row].counters.append(counter)
            } else {
                rows.append(Self(reason: top, packets: beside["top"]?["count"]?.asDouble, counters: [counter]))
            }
        }
    }
}

extension SnapshotView.DNSPart {
    fileprivate init?(_ name: String, _ json: JSONValue) {
        guard json.asObject != nil else { return nil }
        self.init(
            name: name, rate: SnapshotView.Values(json["rate"]), queries: json["queries"]?.asDouble,
            failures: json["failures"]?.asDouble, latency: json["latency"]?["p95"]?.asDouble)
    }
}
