/// A place of the totals: packets of one transport, family, direction and service.
struct FlowCell: Hashable, Sendable {
    /// How many places there are.
    static let count = FlowTransport.allCases.count * 2 * FlowDirection.count * FlowService.count

    /// What the packets carry.
    let transport: FlowTransport
    /// Whether they are IPv6.
    let isIPv6: Bool
    /// Which way they go.
    let direction: FlowDirection
    /// Which service they belong to.
    let service: FlowService

    /// The number of the place, below ``count``.
    var index: UInt16 { index(direction) }

    /// The number of the place of the same in another direction.
    @inline(__always)
    func index(_ direction: FlowDirection) -> UInt16 {
        var index = Int(transport.rawValue) &* 2 &+ (isIPv6 ? 1 : 0)
        index = index &* FlowDirection.count &+ Int(direction.rawValue)
        return UInt16(truncatingIfNeeded: index &* FlowService.count &+ Int(service.rawValue))
    }

    /// Every place, in the order of the numbers.
    static var all: [FlowCell] {
        FlowTransport.allCases.flatMap { transport in
            [false, true].flatMap { isIPv6 in
                FlowDirection.allCases.flatMap { direction in
                    (0..<FlowService.count).map { place in
                        FlowCell(
                            transport: transport,
                            isIPv6: isIPv6,
                            direction: direction,
                            service: FlowService(place: place)
                        )
                    }
                }
            }
        }
    }
}
