internal import CSondePlugin
internal import SondeDomain
internal import SondePluginKit

extension SeriesSpecification {
    static let attributeLimit = 16
    static let nameLimit = 255
    static let unitLimit = 63
    /// A longer value is refused and not cut: otherwise two series could become one and mix their counters.
    static let valueLimit = 1024

    /// A copy of the contract's series.
    init(_ pointer: UnsafePointer<sonde_series>?) throws(ContractBreach) {
        guard let pointer else { throw ContractBreach("opened a series of NULL") }
        guard let record = sonde_series(copying: pointer) else {
            throw ContractBreach("opened a series of an impossible struct_size")
        }
        guard let name = String(record.name, limit: Self.nameLimit), !name.isEmpty else {
            throw ContractBreach("opened a series without a name of 1 to \(Self.nameLimit) bytes")
        }
        guard let kind = MetricKind(rawValue: record.kind) else {
            throw ContractBreach("opened series '\(name)' of unknown kind \(record.kind)")
        }
        guard let unit = String(record.unit, limit: Self.unitLimit) else {
            throw ContractBreach("opened series '\(name)' with a malformed unit")
        }
        guard [0, 32, 64].contains(record.counter_bits) else {
            throw ContractBreach("opened series '\(name)' with counter_bits \(record.counter_bits)")
        }
        self.init(
            name: name,
            kind: kind,
            unit: unit,
            attributes: try Self.attributes(record, of: name),
            start: record.start_time_ns == Int64(SONDE_TIME_UNKNOWN)
                ? nil : Timestamp(nanoseconds: record.start_time_ns),
            counterBits: record.counter_bits == 0 ? nil : Int(record.counter_bits),
            meaning: String(record.meaning, limit: Self.valueLimit) ?? "",
            level: MetricLevel(number: record.level)
        )
    }

    private static func attributes(_ series: sonde_series, of name: String) throws(ContractBreach) -> [Attribute] {
        guard (0...attributeLimit).contains(series.attribute_count),
            let records = ContractArray(series.attributes, count: series.attribute_count)
        else {
            throw ContractBreach(
                "opened series '\(name)' with more than \(attributeLimit) attributes, NULL, or an impossible struct_size"
            )
        }
        var attributes: [Attribute] = []
        for record in records {
            guard let record, let key = String(record.name, limit: nameLimit), !key.isEmpty else {
                throw ContractBreach(
                    "opened series '\(name)' with an attribute without a name of 1 to \(nameLimit) bytes")
            }
            guard let value = String(record.value, limit: valueLimit) else {
                throw ContractBreach("opened series '\(name)' with a value of '\(key)' beyond \(valueLimit) bytes")
            }
            guard !attributes.contains(where: { $0.name == key }) else {
                throw ContractBreach("opened series '\(name)' with attribute '\(key)' twice")
            }
            attributes.append(Attribute(key, value))
        }
        return attributes
    }
}
