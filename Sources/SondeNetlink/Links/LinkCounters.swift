/// The counts of one device (`struct rtnl_link_stats64`, linux/if_link.h).
public struct LinkCounters: Hashable, Sendable {
    /// The fields in the kernel's order.
    public enum Field: Int, CaseIterable, Sendable {
        case receivedPackets, sentPackets
        case receivedBytes, sentBytes
        case receiveErrors, sendErrors
        case receiveDropped, sendDropped
        case multicast, collisions
        case receiveLength, receiveOver, receiveCRC, receiveFrame, receiveFIFO, receiveMissed
        case sendAborted, sendCarrier, sendFIFO, sendHeartbeat, sendWindow
        case receiveCompressed, sendCompressed
        case receiveNoHandler
        /// Since Linux 5.19.
        case receiveOtherHost
    }

    /// How many of the fields the kernel gave; the others are not known.
    public private(set) var count: Int
    private var values: [25 of UInt64] = .init(repeating: 0)

    /// Counts that are all known and zero.
    public init() {
        count = Field.allCases.count
    }

    /// The fields in a `struct rtnl_link_stats64`, as many as fit; a newer kernel's longer struct is read as far as it
    /// is known here.
    public init(_ bytes: UnsafeRawBufferPointer) {
        count = min(bytes.count / 8, Field.allCases.count)
        for index in 0..<count { values[index] = bytes.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self) }
    }

    /// A field, or nil when the kernel did not give it.
    public subscript(field: Field) -> UInt64? {
        get { field.rawValue < count ? values[field.rawValue] : nil }
        set { if field.rawValue < count { values[field.rawValue] = newValue ?? 0 } }
    }

    /// Some of the fields.
    public struct Selection: Hashable, Sendable {
        /// A bit per field.
        let mask: UInt32

        /// Fields, each once.
        public init(_ fields: [Field]) {
            mask = fields.reduce(0) { $0 | 1 << UInt32($1.rawValue) }
        }
    }

    /// The sum of the selected fields; nil when the kernel did not give one of them.
    public func sum(_ selection: Selection) -> UInt64? {
        var rest = selection.mask
        guard rest >> UInt32(count) == 0 else { return nil }
        var sum: UInt64 = 0
        while rest != 0 {
            sum &+= values[rest.trailingZeroBitCount]
            rest &= rest &- 1
        }
        return sum
    }

    /// Whether any field that both have is smaller than it was.
    public func hasFallen(since old: LinkCounters) -> Bool {
        for index in 0..<min(count, old.count) where values[index] < old.values[index] { return true }
        return false
    }

    /// What was added to each field that both have, when none has fallen.
    public func step(since old: LinkCounters) -> LinkCounters {
        var step = self
        step.count = min(count, old.count)
        for index in 0..<step.count { step.values[index] = values[index] &- old.values[index] }
        return step
    }

    /// Adds another one: a field that one of both lacks is missing from the sum.
    public mutating func add(_ other: LinkCounters) {
        count = min(count, other.count)
        for index in 0..<count { values[index] = values[index] &+ other.values[index] }
    }

    /// Whether the same fields are known and equal.
    public static func == (one: LinkCounters, other: LinkCounters) -> Bool {
        guard one.count == other.count else { return false }
        for index in 0..<one.count where one.values[index] != other.values[index] { return false }
        return true
    }

    /// Hashes the known fields.
    public func hash(into hasher: inout Hasher) {
        for index in 0..<count { hasher.combine(values[index]) }
    }
}
