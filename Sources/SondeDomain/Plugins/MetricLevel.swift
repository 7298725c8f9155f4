/// How much of what a source reads is sent: each level has what the ones before it have.
public enum MetricLevel: String, Hashable, Sendable, CaseIterable, Comparable {
    /// What dashboards and alerts are made of: some 150 series on a host with one uplink.
    case core
    /// What a person looks for once something is wrong.
    case extended
    /// Everything that can be read.
    case all

    /// Its number in the contract; 0 there is that of the catalog.
    public var number: UInt32 {
        switch self {
        case .core: 1
        case .extended: 2
        case .all: 3
        }
    }

    /// The level with a number of the contract; nil: there is none, or it is a later one.
    public init?(number: UInt32) {
        guard let level = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = level
    }

    /// Orders levels by how much they have.
    public static func < (left: MetricLevel, right: MetricLevel) -> Bool { left.number < right.number }
}
