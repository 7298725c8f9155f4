/// Bytes of a file format, written in a chosen byte order.
public struct EndianWriter: Sendable {
    /// Which end of a number comes first.
    public enum Order: Sendable, CaseIterable {
        /// The low byte.
        case little
        /// The high byte.
        case big

        /// The bytes of a number in this order.
        public func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
            let big = [UInt8](bigEndian: number)
            return self == .big ? big : big.reversed()
        }
    }

    /// What was written so far.
    public private(set) var bytes: [UInt8] = []
    /// The order of numbers.
    public let order: Order

    /// Nothing yet.
    public init(_ order: Order) {
        self.order = order
    }

    /// Appends a number in the chosen order.
    public mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        bytes += order.bytes(number)
    }

    /// Appends bytes as they are.
    public mutating func append(_ more: [UInt8]) {
        bytes += more
    }

    /// Appends zeros up to a multiple of 4.
    public mutating func pad() {
        while bytes.count % 4 != 0 { bytes.append(0) }
    }
}
