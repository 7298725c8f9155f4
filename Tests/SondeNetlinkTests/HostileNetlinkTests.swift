import SondeDomain
import SondeNetlink
import SondeTestKit
import Testing

/// Whatever a datagram holds, reading it ends and stays within its bounds.
@Suite struct HostileNetlinkTests {
    /// The whole answer to a request in one datagram.
    private static func answer(_ ask: (LinkReader) throws -> Void) rethrows -> [UInt8] {
        var card = FakeLink(NetworkLink(index: 4, name: "eth0"))
        card.functions = [[0: 1, 2: 3, 8: 4], [2: 5]]
        let kernel = FakeKernel([
            card,
            FakeLink(NetworkLink(index: 1, name: "lo", isLoopback: true)),
            FakeLink(
                NetworkLink(
                    index: 2, name: "veth1", kind: "veth", master: 3, lower: 9, hasForeignPeer: true
                ),
                counters: [1, 2, 3, 4]
            ),
            FakeLink(NetworkLink(index: 3, name: "br0", kind: "bridge")),
        ])
        let recorder = NetlinkRecorder(kernel)
        try ask(LinkReader(recorder))
        return recorder.bytes
    }

    private static func links(_ bytes: [UInt8]) -> [LinkDescription] {
        (try? LinkReader(NetlinkScript([bytes])).links(limit: 100).value.links) ?? []
    }

    private static func functions(_ bytes: [UInt8]) -> [VirtualFunctionReport] {
        (try? LinkReader(NetlinkScript([bytes])).virtualFunctions(of: 4, limit: 9)) ?? []
    }

    private static func bytes(_ bytes: [UInt8]) -> UInt64? {
        var request = LinkReader.counterRequest(of: 4)
        return (try? LinkReader(NetlinkScript([bytes])).bytes(&request))?.sent
    }

    private static func counters(_ bytes: [UInt8]) -> [Int32: LinkCounters] {
        let reader = LinkReader(NetlinkScript([bytes]))
        return (try? reader.counters(from: [:]) { $0[$1] = $2 }.value) ?? [:]
    }

    @Test func aDumpOfLinksCutAtAnyByteIsReadWithoutATrap() throws {
        let bytes = try Self.answer { _ = try $0.links(limit: 9) }
        #expect(Self.links(bytes).count == 4)
        for length in 0..<bytes.count { #expect(Self.links(Array(bytes.prefix(length))).count <= 4) }
    }

    @Test func countersCutAtAnyByteAreReadWithoutATrap() throws {
        let bytes = try Self.answer { _ = try $0.counters(from: 0) { count, _, _ in count += 1 } }
        #expect(Self.counters(bytes).count == 4)
        for length in 0..<bytes.count { #expect(Self.counters(Array(bytes.prefix(length))).count <= 4) }
    }

    @Test func virtualFunctionsCutAtAnyByteAreReadWithoutATrap() throws {
        let bytes = try Self.answer { _ = try $0.virtualFunctions(of: 4, limit: 9) }
        let found = Self.functions(bytes)
        #expect(found.map(\.number) == [0, 1])
        #expect(found.first?[.receivedBytes] == 3)
        #expect(found.last?[.sendDropped] == nil)
        for length in 0..<bytes.count { #expect(Self.functions(Array(bytes.prefix(length))).count <= 2) }
    }

    @Test func mutatedDatagramsAreReadWithoutATrap() throws {
        var random = SeededGenerator(seed: 6)
        for original in [
            try Self.answer { _ = try $0.links(limit: 9) },
            try Self.answer { _ = try $0.counters(from: 0) { count, _, _ in count += 1 } },
            try Self.answer { _ = try $0.virtualFunctions(of: 4, limit: 9) },
        ] {
            for _ in 0..<3_000 {
                var bytes = original
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    let index = Int.random(in: bytes.indices, using: &random)
                    bytes[index] = UInt8.random(in: 0...255, using: &random)
                }
                #expect(Self.links(bytes).count <= 100)
                #expect(Self.counters(bytes).count <= 100)
                #expect(Self.functions(bytes).count <= 9)
                _ = Self.bytes(bytes)
            }
        }
    }

    @Test(arguments: [0, 7, 8, 192, 200, 208]) func aShorterOrLongerStructIsReadAsFarAsItIsKnown(size: Int) {
        let bytes = (0..<size).map { UInt8($0 / 8 + 1) }
        let counters = bytes.withUnsafeBytes { LinkCounters($0) }
        #expect(counters.count == min(size / 8, 25))
        #expect((counters[.receivedPackets] == nil) == (size < 8))
        #expect((counters[.receiveOtherHost] == nil) == (size < 200))
    }
}

/// Keeps every datagram that passes.
private final class NetlinkRecorder: NetlinkTransport {
    private let kernel: FakeKernel
    private(set) var bytes: [UInt8] = []

    init(_ kernel: FakeKernel) {
        self.kernel = kernel
    }

    func send(_ request: UnsafeRawBufferPointer) throws(NetlinkError) { try kernel.send(request) }

    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(NetlinkError) -> Int {
        let count = try kernel.receive(into: buffer)
        bytes += buffer[..<count]
        return count
    }

    func discardWaiting() { kernel.discardWaiting() }
}
