import SondeDNS
import SondeDomain
import SondePluginKit
import SondeTestKit
import SondeWire
import Testing

@testable import PcapPlugin

@Suite struct DNSMonitorTests {
    private let query = DNSMessageBuilder(id: 5).asking("www.Example.org", type: 28)
    private let answer = DNSMessageBuilder(id: 5, flags: 0x8180).asking("WWW.example.org", type: 28)

    private func monitor(_ change: (inout DNSSettings) -> Void = { _ in }) -> DNSMonitor {
        var settings = DNSSettings.testing
        change(&settings)
        return DNSMonitor(settings)
    }

    @Test func aQueryAndItsAnswerAreOneTransactionWhateverTheCase() {
        var monitor = monitor { $0.report = .responseTimes }
        monitor.see(query.bytes, .query(), at: 0)
        monitor.see(answer.bytes, FlowTuple.query().reversed, at: 2 * millisecond)
        #expect(monitor.totals.lanes[.queries, .plain] == 1)
        #expect(monitor.totals.lanes[.responses, .plain] == 1)
        #expect(monitor.totals.lanes[.answered, .plain] == 1)
        #expect(monitor.totals.types[28] == 1)
        #expect(monitor.totals.codes[0] == 1)
        #expect(monitor.totals.latencies.summary?.median == 2_000_000)
    }

    @Test func theTimeOfAnAnswerIsCountedInItsLane() {
        var monitor = monitor()
        monitor.see(query.bytes, .query(), at: 0)
        monitor.see(answer.bytes, FlowTuple.query().reversed, at: 2 * millisecond)
        let latency = monitor.totals.latencies.histogram(lane: DNSLane.plain.index)
        #expect(latency?.count == 1)
    }

    @Test func otherTuplesAreOtherTransactions() {
        let others: [FlowTuple] = [
            .query(port: 40_001), .query(client: 1), .query(server: 1), .query(transport: .tcp),
        ]
        for other in others {
            var monitor = monitor()
            monitor.see(query.bytes, .query(), at: 0)
            monitor.see(answer.bytes, other.reversed, at: 1)
            #expect(monitor.totals.lanes.total(.unsolicitedResponses) == 1)
            monitor.finish()
            #expect(monitor.transactions.unanswered.total == 1)
        }
    }

    @Test func theHostsSideIsKnownByItsAddresses() {
        let host = FlowTuple.query().source
        for (addresses, role): ([IPAddress], DNSRole) in [
            ([host], .client), ([FlowTuple.query().destination], .server), ([], .none),
            ([host, FlowTuple.query().destination], .server), ([IPAddress(ipv4: 1)], .none),
        ] {
            var monitor = monitor { $0.hostAddresses = addresses }
            monitor.see(query.bytes, .query(), at: 0)
            monitor.see(answer.bytes, FlowTuple.query().reversed, at: 1)
            let lane = DNSLane(role: role, transport: .udp, isIPv6: false)
            #expect(monitor.totals.lanes[.queries, lane] == 1)
            #expect(monitor.totals.lanes[.answered, lane] == 1)
        }
    }

    @Test func aTransactionThatNobodyAnswersFailsInItsLane() {
        var monitor = monitor()
        monitor.see(query.bytes, .query(), at: 0)
        monitor.see(query.bytes, .query(), at: second)
        monitor.expire(at: 5 * second)
        #expect(monitor.transactions.unanswered[.plain] == 0)
        monitor.expire(at: 6 * second)
        #expect(monitor.transactions.unanswered[.plain] == 1)
        #expect(monitor.totals.lanes[.repeatedQueries, .plain] == 1)
    }

    @Test func everyQuestionCountsItsType() {
        var monitor = monitor()
        let several = DNSMessageBuilder().asking("a.org", type: 1).asking("b.org", type: 65_280).asking(
            "c.org", type: 1)
        monitor.see(several.bytes, .query(), at: 0)
        #expect(monitor.totals.lanes[.queries, .plain] == 1)
        #expect(monitor.totals.types.all.map(\.code) == [1, 65_280])
        #expect(monitor.totals.types[1] == 2)
        #expect(monitor.totals.lanes[typeAt: DNSType.attributeCount - 1, .plain] == 1)
    }

    @Test func theExtendedResponseCodeCounts() {
        var monitor = monitor()
        let answer = DNSMessageBuilder(flags: 0x8187).asking("a.org").withEDNS(timeToLive: 0x0100_0000)
        monitor.see(answer.bytes, FlowTuple.query().reversed, at: 0)
        #expect(monitor.totals.codes[23] == 1)
        #expect(monitor.totals.lanes[codeAt: 23, .plain] == 1)
    }

    @Test func flagsAndEDNSCount() {
        var monitor = monitor()
        let cookie: [UInt8] = [0, 10, 0, 1, 0]
        monitor.see(query.withEDNS(timeToLive: 0x8000, options: cookie).bytes, .query(), at: 0)
        let answer = DNSMessageBuilder(id: 5, flags: 0x87a0).asking("a.org").withEDNS(options: [0, 15, 0, 2, 0, 3])
        monitor.see(answer.bytes, FlowTuple.query().reversed, at: 0)
        let counters: [DNSCounter] = [
            .recursionDesired, .ednsQueries, .dnssecQueries, .cookieQueries, .authoritative, .truncated,
            .recursionAvailable, .authenticData, .ednsResponses, .extendedErrors,
        ]
        for counter in counters { #expect(monitor.totals.lanes[counter, .plain] == 1, "\(counter)") }
        #expect(monitor.totals.lanes[.clientSubnetQueries, .plain] == 0)
        #expect(monitor.totals.lanes[.checkingDisabled, .plain] == 0)
    }

    @Test func multicastAndLinkLocalNamesAreCountedApart() {
        var monitor = monitor()
        for port: UInt16 in [5353, 5355] {
            var flow = FlowTuple.query(port: port)
            flow.destinationPort = port
            monitor.see(query.bytes, flow, at: 0)
            monitor.see(query.bytes, flow, at: 0)
            monitor.see(answer.bytes, flow, at: 0)
            monitor.see([1], flow, at: 0)
        }
        let expected = NameServiceCounts(queries: 2, responses: 1, malformed: 1)
        #expect(monitor.totals.multicast == expected)
        #expect(monitor.totals.linkLocal == expected)
        #expect(monitor.totals.lanes.total(.queries) == 0)
        #expect(monitor.totals.malformed == 0)
        #expect(monitor.transactions.count == 0)
    }

    @Test func aMalformedMessageIsNeitherQueryNorResponse() {
        var monitor = monitor()
        monitor.see([UInt8](repeating: 0, count: 40), .query(), at: 0)
        monitor.see([7], .query(), at: 0)
        #expect(monitor.totals.malformed == 2)
        #expect(monitor.totals.lanes.total(.queries) == 0)
    }

    @Test func aMessageThatTheCaptureCutStillCounts() {
        var monitor = monitor()
        let long = answer.answering(type: 16, data: [UInt8](repeating: 1, count: 200))
        monitor.see(query.bytes, .query(), at: 0)
        monitor.see(long.bytes, FlowTuple.query().reversed, at: 1, captured: 60)
        monitor.see(query.bytes, .query(), at: 1, captured: 20)
        monitor.see(query.bytes, .query(), at: 1, captured: 4)
        monitor.see(query.bytes, .query(), at: 1, captured: 3)
        #expect(monitor.totals.lanes[.answered, .plain] == 1)
        #expect(monitor.totals.lanes[.queries, .plain] == 3)
        #expect(monitor.totals.unreadable == 1)
        #expect(monitor.totals.malformed == 0)
    }

    @Test func messagesOverTCPAreTransactionsOfTheirOwnLane() {
        var monitor = monitor()
        let flow = FlowTuple.query(transport: .tcp)
        for (bytes, direction) in [(query.bytes, flow), (answer.bytes, flow.reversed)] {
            withWire(DNSMessageBuilder.number(UInt16(bytes.count)) + bytes) { payload in
                let segment = StreamSegment(sequence: 9, payload: payload, wireLength: payload.count)
                monitor.observe(segment: segment, direction, service: .unicast, at: millisecond)
            }
        }
        let lane = DNSLane(role: .none, transport: .tcp, isIPv6: false)
        #expect(monitor.totals.lanes[.answered, lane] == 1)
        #expect(monitor.totals.lanes[.queries, lane] == 1)
    }

    @Test func aPacketWithoutTimeGivesNoLatency() {
        var monitor = monitor()
        monitor.see(query.bytes, .query(), at: second)
        monitor.see(answer.bytes, FlowTuple.query().reversed, at: CapturedPacket.unknownTime)
        let latency = monitor.totals.latencies.histogram(lane: DNSLane.plain.index)
        #expect(monitor.totals.lanes[.answered, .plain] == 1)
        #expect(latency == nil)
    }
}
