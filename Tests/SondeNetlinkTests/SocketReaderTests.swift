import Glibc
import SondeNetlink
import SondeTestKit
import Testing

@Suite struct SocketReaderTests {
    private struct Seen: Hashable {
        let family: SocketFamily
        let state: SocketState
        let port: UInt16
        let isFull: Bool
    }

    private let kernel = FakeSocketKernel([
        FakeSocket(.listen, port: 80).with {
            $0.receiveQueue = 3
            $0.sendQueue = 128
            $0.drops = 7
        },
        FakeSocket(.established, port: 80).with { $0.remotePort = 40_000 },
        FakeSocket(.finWait2, port: 81),
        FakeSocket(.finWait2, port: 82).with { $0.isFull = false },
        FakeSocket(.timeWait, port: 83).with { $0.isFull = false },
        FakeSocket(.synReceived, port: 80).with { $0.isFull = false },
        FakeSocket(.closeWait, port: 84).with { $0.family = .ipv6 },
        FakeSocket(.closed, port: 53).with { $0.transport = 17 },
        FakeSocket(.established, port: 54).with {
            $0.transport = 17
            $0.family = .ipv6
        },
    ])

    private func tcp(_ states: SocketState.Mask) throws -> Set<Seen> {
        try SocketReader(kernel).walkTCP(states, from: []) { seen, socket in
            seen.insert(
                Seen(family: socket.family, state: socket.state, port: socket.localPort, isFull: socket.isFull)
            )
        }.value
    }

    @Test func bothFamiliesComeWithOneWalkOverTheTable() throws {
        let all = try tcp(.all)
        #expect(all.count == 7)
        #expect(all.contains(Seen(family: .ipv6, state: .closeWait, port: 84, isFull: true)))
        #expect(kernel.questions.map(\.type) == [18])
    }

    @Test func aKernelWithoutTheOldRequestIsAskedForEachFamily() throws {
        kernel.knowsOldRequest = false
        let reader = SocketReader(kernel)
        for _ in 0..<2 {
            let count = try reader.walkTCP(.all, from: 0) { count, _ in count += 1 }.value
            #expect(count == 7)
        }
        #expect(kernel.questions.map(\.type) == [18, 20, 20, 20, 20], "it is asked the old way once")
    }

    @Test func onlyTheStatesAskedForCome() throws {
        #expect(try tcp(.listen).map(\.state) == [.listen])
        #expect(try !tcp(.all.subtracting(.established)).contains { $0.state == .established })
    }

    @Test func whatStandsForAConnectionIsToldFromASocket() throws {
        let full = try tcp(.all).filter(\.isFull).map(\.port)
        #expect(Set(full) == [80, 81, 84])
        #expect(try tcp(SocketState.Mask(.synReceived)).allSatisfy { !$0.isFull })
    }

    @Test func aListenerTellsItsQueueItsLimitAndItsDrops() throws {
        let reader = SocketReader(kernel)
        let found = try reader.walkTCP(.listen, .memory, from: [UInt32]()) { found, socket in
            found = [socket.receiveQueue, socket.sendQueue, socket.drops ?? 0]
        }.value
        #expect(found == [3, 128, 7])
        let without = try reader.walkTCP(.listen, from: [UInt32?]()) { $0.append($1.drops) }.value
        #expect(without == [nil], "what was not asked for is not 0")
    }

    @Test func datagramSocketsOfBothFamiliesCome() throws {
        let ports = try SocketReader(kernel).walkUDP(from: [UInt16]()) { $0.append($1.localPort) }.value
        #expect(ports == [53, 54])
    }

    @Test func withoutTheModuleTheAbsenceIsReported() {
        kernel.knowsUDP = false
        let error = #expect(throws: NetlinkError.self) {
            try SocketReader(kernel).walkUDP(from: 0) { count, _ in count += 1 }
        }
        #expect(error?.isAbsence == true)
    }

    @Test(arguments: [EBUSY, ENOBUFS]) func aMomentaryFailureIsTriedAgain(number: Int32) throws {
        kernel.failures = [number, number]
        #expect(try tcp(.all).count == 7)
    }

    @Test func anInterruptedWalkBeginsAgainFromNothing() throws {
        kernel.interruptions = 2
        let walk = try SocketReader(kernel).walkTCP(.all, from: 0) { count, _ in count += 1 }
        #expect(walk.value == 7)
        #expect(walk.isWhole)
    }

    @Test func aRefusalIsReported() {
        kernel.refusal = EPERM
        let error = #expect(throws: NetlinkError.self) { try tcp(.all) }
        #expect(error?.isRefusal == true)
    }

    @Test func whatTCPKnowsIsReadAsFarAsTheStructGoes() throws {
        var information = [UInt8](repeating: 0, count: 232)
        func put<Number: FixedWidthInteger>(_ value: Number, at offset: Int) {
            information.replaceSubrange(offset..<(offset + Number.bitWidth / 8), with: NetlinkBuilder.bytes(value))
        }
        put(UInt32(1_500), at: 68)
        put(UInt32(9), at: 100)
        put(UInt64(1_000), at: 120)
        put(UInt64(2_000), at: 128)
        put(UInt32(800), at: 148)
        put(UInt64(12_500_000), at: 160)
        for length in 0...information.count {
            kernel.sockets = [
                FakeSocket(.established, port: 80).with { $0.information = Array(information.prefix(length)) }
            ]
            var found: [UInt64?] = []
            _ = try SocketReader(kernel).walkTCP(.all, .information, from: 0) { _, socket in
                guard let known = socket.information else { return }
                found = [
                    known.roundTrip.map(UInt64.init), known.retransmitted.map(UInt64.init), known.acknowledgedBytes,
                    known.receivedBytes, known.shortestRoundTrip.map(UInt64.init), known.deliveryRate,
                ]
            }
            let ends = [(72, 1_500), (104, 9), (128, 1_000), (136, 2_000), (152, 800), (168, 12_500_000)]
            let expected = ends.map { end, value in length >= end ? UInt64(value) : nil }
            #expect(length == 0 ? found.isEmpty : found == expected, "cut at \(length)")
        }
    }

    @Test func whatWasNotMeasuredYetIsNotZero() throws {
        var information = [UInt8](repeating: 0, count: 232)
        information.replaceSubrange(148..<152, with: [255, 255, 255, 255])
        kernel.sockets = [FakeSocket(.established, port: 80).with { $0.information = information }]
        _ = try SocketReader(kernel).walkTCP(.all, .information, from: 0) { _, socket in
            #expect(socket.information?.roundTrip == nil)
            #expect(socket.information?.shortestRoundTrip == nil)
            #expect(socket.information?.deliveryRate == nil)
            #expect(socket.information?.retransmitted == 0)
        }
    }

    @Test func aWalkCutAtAnyByteIsReadWithoutATrap() {
        var datagram = NetlinkBuilder()
        for state: UInt8 in [1, 10, 14, 255] {
            datagram.message(20, sequence: 1, fixed: [2, state, 0, 0] + [UInt8](repeating: 0x41, count: 68)) {
                $0.attribute(8, [0])
                $0.attribute(7, [UInt8](repeating: 1, count: 36))
            }
        }
        datagram.end(sequence: 1)
        for length in 0...datagram.bytes.count {
            let script = NetlinkScript([Array(datagram.bytes.prefix(length))])
            let count = try? SocketReader(script).walkTCP(.all, .memory, from: 0) { count, socket in
                count += socket.drops == 0x0101_0101 && socket.isFull ? 1 : 100
            }.value
            #expect(count == (length == datagram.bytes.count ? 2 : nil), "cut at \(length)")
        }
    }
}
