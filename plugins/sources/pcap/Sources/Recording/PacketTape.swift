internal import SondeDomain
internal import SondePluginKit
internal import SondeWire

/// Packets on a tape: kept as they are captured, or processed as they were kept.
final class PacketTape {
    // Where the link type, the length on the wire and the time stand after the slot.
    private static let headSize = 18

    let tape: SourceTape
    private let privacy: PacketPrivacy?
    private let pseudonyms: Pseudonyms?
    private var names: [String] = []

    init(_ tape: SourceTape, ports: [UInt16]) {
        self.tape = tape
        pseudonyms = tape.secret.flatMap(Pseudonyms.init)
        privacy = pseudonyms.map { PacketPrivacy($0, ports: ports) }
    }

    /// Keeps a packet, and hands on what was kept of it.
    func record(_ packet: CapturedPacket, _ captured: UnsafeRawBufferPointer, _ pipeline: PacketPipeline) {
        let bytes = privacy?.replacing(captured, linkType: packet.linkType) ?? Array(captured)
        let head = Self.bytes(packet.interface) + Self.bytes(packet.linkType) + Self.bytes(packet.wireLength)
        (head + Self.bytes(packet.time) + bytes).withUnsafeBytes { tape.write("packet", $0) }
        var packet = packet
        bytes.withUnsafeBytes { bytes in
            packet.bytes = WireBytes(bytes)
            pipeline.process(packet)
        }
    }

    /// Keeps the addresses of the host: 16 bytes each, and 16 of the broadcast address, zeros where there is none.
    func record(_ addresses: [HostAddress]) {
        let bytes = addresses.flatMap { host in
            [host.address, host.broadcast].flatMap { address in
                let kept = address.map { pseudonyms?.address($0) ?? $0 } ?? .unspecified
                return Self.bytes(kept.high.bigEndian) + Self.bytes(kept.low.bigEndian)
            }
        }
        bytes.withUnsafeBytes { tape.write("addresses", $0) }
    }

    /// Keeps the names of the interfaces, by slot.
    func record(names: [String]) { _ = tape.text("interfaces") { names.joined(separator: "\n") } }

    /// The names of the interfaces by slot, as they were last.
    func readNames() -> [String] {
        guard let text = tape.text("interfaces", { nil }) else { return names }
        names = text.split(separator: "\n").prefix(PacketPipeline.interfaceLimit).map(String.init)
        return names
    }

    /// Processes what was kept in this step.
    func replay(into pipeline: PacketPipeline) {
        if let kept = tape.read("addresses") {
            let addresses = Self.addresses(kept)
            pipeline.analysis?.pointee.setHostAddresses(addresses)
        }
        while let kept = tape.read("packet") {
            guard kept.count >= Self.headSize else { continue }
            let packet = CapturedPacket(
                bytes: WireBytes(UnsafeRawBufferPointer(rebasing: kept[Self.headSize...])),
                wireLength: Self.number(kept, 6), linkType: Self.number(kept, 2), interface: Self.number(kept, 0),
                time: Self.number(kept, 10))
            pipeline.process(packet)
        }
    }

    private static func addresses(_ kept: UnsafeRawBufferPointer) -> HostAddresses {
        let all = stride(from: 0, to: kept.count & ~31, by: 16).map { place in
            IPAddress(bytes: UnsafeRawBufferPointer(rebasing: kept[place..<(place + 16)])) ?? .unspecified
        }
        let own = all.indices.filter { $0 % 2 == 0 }.map { all[$0] }
        let broadcasts = all.indices.filter { $0 % 2 == 1 && all[$0] != .unspecified }.map { all[$0] }
        return HostAddresses(own, broadcasts: broadcasts)
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) }
    }

    private static func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: UnsafeRawBufferPointer, _ place: Int
    ) -> Number {
        Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
    }
}

extension AnalysisSettings {
    /// Hashes with the seeds of the recording.
    mutating func useSeeds(of tape: SourceTape?) {
        guard let tape else { return }
        let numbers = ["seed", "key 1", "key 2"].map { name in
            UInt64(bitPattern: tape.number(name) { .random(in: .min ... .max) } ?? 0)
        }
        dns?.seed = numbers[0]
        guard case .hashed = privacy else { return }
        privacy = .hashed(SipKey(first: numbers[1], second: numbers[2]))
        dns?.privacy = privacy
    }
}
