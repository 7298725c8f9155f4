extension SnapshotView {
    /// Why a document has no view.
    public enum Refusal: Error, Hashable, Sendable {
        /// It is not JSON, or has no domain.
        case malformed(String)
        /// Its schema or domain is not one that tables know.
        case unknown(String)
    }

    private static let mostRows = 4_096

    /// The view of a document, `sonde.snapshot/1`.
    ///
    /// Members that are missing or of another type are taken as not known.
    public init(json: [UInt8]) throws(Refusal) {
        let document: JSONValue
        do {
            document = try JSONReader.parse(json)
        } catch {
            throw .malformed(error.description)
        }
        let schema = document["schema"]?.asString ?? ""
        guard schema == SnapshotEncoder.schema else { throw .unknown("schema '\(DisplayText.safe(schema))'") }
        guard let domain = document["domain"]?.asString else { throw .malformed("no domain") }
        switch domain {
        case "bandwidth":
            let rows = document["interfaces"]?.asArray ?? []
            content = .bandwidth(
                Interface.busiestFirst(rows.prefix(Self.mostRows).map { Interface($0, name: $0["name"]) }),
                total: document["total"].flatMap(Interface.init(total:))
            )
        case "connections":
            let rows = document["protocols"]?.asArray ?? []
            content = .connections(rows.prefix(Self.mostRows).map(ConnectionGroup.init))
        default:
            throw .unknown("domain '\(DisplayText.safe(domain))'")
        }
        self.domain = domain
        source = Self.text(document["source"]) ?? ""
        host = Self.text(document["host"])
        time = Self.text(document["time"]) ?? QuantityText.unknown
        window = Self.text(document["window"]) ?? QuantityText.unknown
    }

    fileprivate static func text(_ value: JSONValue?) -> String? {
        value?.asString.map { DisplayText.clip(DisplayText.safe($0), to: 64) }
    }
}

extension SnapshotView.Values {
    fileprivate init(_ json: JSONValue?) {
        self.init(
            current: json?["current"]?.asDouble,
            average: json?["average"]?.asDouble,
            peak: json?["peak"]?.asDouble
        )
    }
}

extension SnapshotView.ConnectionGroup {
    fileprivate init(_ json: JSONValue) {
        self.init(
            transport: SnapshotView.text(json["transport"]) ?? QuantityText.unknown,
            state: SnapshotView.text(json["state"]) ?? QuantityText.unknown,
            count: SnapshotView.Values(json)
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

    /// A sum names the interfaces that it is made of.
    fileprivate init?(total json: JSONValue) {
        guard json.asObject != nil else { return nil }
        let names = (json["interfaces"]?.asArray ?? []).compactMap(\.asString).joined(separator: " + ")
        self.init(json, name: .string(names.isEmpty ? "total" : "total " + names))
    }
}
