extension SnapshotView.Interface {
    /// Busiest first, in an order that holds still: what decides is the power of two of the average, then the name, so
    /// that neighbours change places only when one doubles.
    static func busiestFirst(_ interfaces: [Self]) -> [Self] {
        let ranked = interfaces.map { (rank: $0.rank, interface: $0) }
        return ranked.sorted { left, right in
            left.rank == right.rank
                ? left.interface.name.utf8.lexicographicallyPrecedes(right.interface.name.utf8) : left.rank > right.rank
        }
        .map(\.interface)
    }

    /// Whether it carried anything within the window, as far as is known.
    var hasMoved: Bool { receive.hasMoved || transmit.hasMoved }

    private var rank: Int {
        guard hasMoved else { return .min }
        let rate = (receive.average ?? receive.current ?? 0) + (transmit.average ?? transmit.current ?? 0)
        guard rate.isFinite, rate >= 1 else { return -1 }
        return Int(rate.exponent)
    }
}
