/// Puts a packet together from its layers, the outermost first, and a payload.
///
/// Lengths, checksums and the numbers that announce the next layer are right unless a layer sets them.
public struct PacketBuilder: Sendable {
    /// The layers, the outermost first.
    public var layers: [any PacketLayer]
    /// What the innermost layer carries.
    public var payload: [UInt8]
    /// What announces the payload; nothing does when it is empty.
    public var payloadNumber: LayerNumber

    /// A packet of these layers.
    public init(
        _ layers: [any PacketLayer], payload: [UInt8] = [], payloadNumber: LayerNumber = LayerNumber()
    ) {
        self.layers = layers
        self.payload = payload
        self.payloadNumber = payloadNumber
    }

    /// The packet as it goes over the wire.
    public var bytes: [UInt8] { bytes(from: 0) }

    /// The packet from the layer at `first` on.
    private func bytes(from first: Int) -> [UInt8] {
        var inner = payload
        var next = payloadNumber
        for index in layers.indices.dropFirst(first).reversed() {
            inner = layers[index].bytes(around: inner, next: next, pseudoHeader: pseudoHeader(before: index))
            next = layers[index].number
        }
        return inner
    }

    /// The addresses that the checksum of the layer at `index` covers.
    private func pseudoHeader(before index: Int) -> PseudoHeader? {
        layers[..<index].reversed().lazy.compactMap { ($0 as? any AddressedLayer)?.pseudoHeader }.first
    }

    /// The packet in IP fragments that carry at most `size` bytes each, which must be a multiple of 8.
    ///
    /// A packet without an IP layer stays whole.
    public func fragments(of size: Int) -> [[UInt8]] {
        guard size > 0, let place = layers.firstIndex(where: { $0 is any AddressedLayer }) else { return [bytes] }
        let inner = bytes(from: place + 1)
        let number = place + 1 < layers.count ? layers[place + 1].number : payloadNumber
        return stride(from: 0, to: inner.count, by: size).map { start in
            let end = min(start + size, inner.count)
            let fragment = FragmentPosition(offset: start, moreFollow: end < inner.count)
            var outer = Array(layers[...place])
            if var header = outer[place] as? IPv4Layer {
                header.fragment = fragment
                outer[place] = header
            } else {
                outer.append(IPv6FragmentLayer(fragment: fragment))
            }
            return PacketBuilder(outer, payload: Array(inner[start..<end]), payloadNumber: number).bytes
        }
    }
}
