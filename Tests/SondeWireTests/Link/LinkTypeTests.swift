import SondeWire
import Testing

@Suite struct LinkTypeTests {
    @Test(
        arguments: [
            (0, "NULL"), (1, "EN10MB"), (9, "PPP"), (12, "RAW"), (14, "RAW"), (101, "RAW"), (108, "LOOP"),
            (113, "LINUX_SLL"),
            (228, "IPV4"), (229, "IPV6"), (276, "LINUX_SLL2"), (105, "IEEE802_11"), (50, "PPP_SERIAL"),
            (51, "PPP_ETHER"),
        ] as [(UInt32, String)])
    func aLinkTypeIsNamedAsLibpcapNamesIt(_ number: UInt32, _ name: String) {
        #expect(LinkType(rawValue: number).name == name)
        #expect(LinkType(rawValue: number).description == name)
    }

    @Test func anUnknownLinkTypeKeepsItsNumber() {
        let unknown = LinkType(rawValue: 54_321)
        #expect(unknown.name == nil && unknown.framing == nil)
        #expect(unknown.description == "LINKTYPE_54321")
    }

    @Test func aNameDoesNotMeanThatItCanBeDecoded() {
        #expect(LinkType(rawValue: 107).framing == nil)
        #expect(LinkType(rawValue: 1).framing == .ethernet)
    }
}
