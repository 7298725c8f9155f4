import SondeTestKit
import SondeWire
import Testing

@Suite struct EDNSTests {
    private func edns(_ options: [UInt8], timeToLive: UInt32 = 0) -> EDNS? {
        DNSSummary.of(DNSMessageBuilder().asking("a.org").withEDNS(timeToLive: timeToLive, options: options).bytes).edns
    }

    @Test func theOptionsThatArePresentAreNamed() {
        let all: [UInt8] = [0, 3, 0, 0, 0, 8, 0, 4, 0, 1, 0, 0, 0, 10, 0, 1, 9, 0, 15, 0, 2, 0, 22]
        #expect(edns(all)?.options == [.nameServerID, .clientSubnet, .cookie, .extendedError])
        #expect(edns(all)?.extendedErrorCode == 22)
        #expect(edns([])?.options == [])
        #expect(edns([])?.extendedErrorCode == nil)
        #expect(edns([0xff, 0xff, 0, 1, 0])?.options == [])
    }

    @Test func theFirstExtendedErrorCounts() {
        #expect(edns([0, 15, 0, 2, 0, 6, 0, 15, 0, 2, 0, 7])?.extendedErrorCode == 6)
    }

    @Test func anExtendedErrorWithoutCodeSaysNothing() {
        #expect(edns([0, 15, 0, 1, 0])?.extendedErrorCode == nil)
    }

    @Test func versionAndFlagsLieWhereOtherRecordsHaveTheirTime() {
        #expect(edns([], timeToLive: 0x0102_8000)?.version == 2)
        #expect(edns([], timeToLive: 0x0102_8000)?.highResponseCode == 1)
        #expect(edns([], timeToLive: 0x0102_8000)?.isDNSSECOK == true)
        #expect(edns([], timeToLive: 0x0000_7fff)?.isDNSSECOK == false)
    }

    @Test func anOPTThatIsNotTheRootsIsAnyRecord() {
        let bytes = DNSMessageBuilder(flags: 0x8000).asking("a.org").answering(type: 41, data: [], owner: [0]).bytes
        #expect(DNSSummary.of(bytes).edns == nil)
        #expect(DNSSummary.of(bytes).malformation == nil)
    }
}
