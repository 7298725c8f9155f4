internal import CSondePlugin
internal import SondeDomain

extension SeriesSpecification {
    static let attributeLimit = 16
    static let nameLimit = 255
    static let unitLimit = 63
    /// A longer value is refused and not cut: cut, two series could become one and their counters mix.
    static let valueLimit = 1024

    /// A copy of the contract's series.
    init(_ pointer: UnsafePointer<sonde_series>?) throws(ContractBreach) {
        guard let pointer else { throw ContractBreach("opened a series of NULL") }
        let record = UnsafeRawPointer(pointer).loadUnaligned(as: sonde_series.self)
        guard record.struct_size >= MemoryLayout<sonde_series>.size else {
            throw ContractBreach("opened a series of struct_size \(record.struct_size)")
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
            counterBits: record.counter_bits == 0 ? nil : Int(record.counter_bits)
        )
    }

    private static func attributes(_ series: sonde_series, of name: String) throws(ContractBreach) -> [Attribute] {
        let count = series.attribute_count
        guard count != 0 else { return [] }
        guard (1...attributeLimit).contains(count), let first = series.attributes else {
            throw ContractBreach("opened series '\(name)' with more than \(attributeLimit) attributes, or NULL")
        }
        let base = UnsafeRawPointer(first)
        let known = MemoryLayout<sonde_attribute>.size
        let alignment = MemoryLayout<sonde_attribute>.alignment
        guard let stride = StructSize.stride(of: base, atLeast: known, alignment: alignment) else {
            throw ContractBreach("opened series '\(name)' with attributes of impossible struct_size")
        }
        var attributes: [Attribute] = []
        for index in 0..<count {
            let record = base.loadUnaligned(fromByteOffset: index * stride, as: sonde_attribute.self)
            guard let key = String(record.name, limit: nameLimit), !key.isEmpty else {
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
