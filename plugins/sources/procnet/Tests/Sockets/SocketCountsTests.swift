import SondeNetlink
import Testing

@testable import ProcNetPlugin

@Suite struct SocketCountsTests {
    @Test func whatIsInUseAndNotInAnotherStateIsEstablished() {
        var counts = SocketCounts()
        for state in SocketState.allCases where state != .established && state != .closed {
            counts.add(.ipv4, state, isFull: state != .timeWait && state != .synReceived)
        }
        // The rest of a connection: in FIN-WAIT-2, and no socket any more.
        counts.add(.ipv4, .finWait2, isFull: false)
        #expect(counts[.ipv4, .finWait2] == 2)
        #expect(counts.established(.ipv4, inUse: 107) == 100)
        #expect(counts.established(.ipv6, inUse: 107) == 107, "the other family is counted for itself")
    }

    @Test func numbersThatContradictEachOtherGiveNone() {
        var counts = SocketCounts()
        counts.add(.ipv6, .closeWait, isFull: true)
        #expect(counts.established(.ipv6, inUse: 0) == nil)
        #expect(counts.established(.ipv6, inUse: 1) == 0)
    }

    @Test func twoWalksAddUp() {
        var one = SocketCounts()
        one.add(.ipv4, .listen, isFull: true)
        var two = SocketCounts()
        two.add(.ipv4, .listen, isFull: true)
        two.add(.ipv4, .timeWait, isFull: false)
        one.add(two)
        #expect(one[.ipv4, .listen] == 2)
        #expect(one[.ipv4, .timeWait] == 1)
        #expect(one.established(.ipv4, inUse: 2) == 0)
    }
}
