import SondeWire
import Testing

@Suite struct DNSMnemonicTests {
    @Test func typesHaveTheirNames() {
        let names = [1: "A", 28: "AAAA", 65: "HTTPS", 255: "ANY", 23: "NSAP-PTR", 65_280: "TYPE65280", 0: "TYPE0"]
        for (number, name) in names { #expect(DNSType(rawValue: UInt16(number)).mnemonic == name) }
    }

    @Test func responseCodesHaveTheirNames() {
        let names = [0: "NOERROR", 3: "NXDOMAIN", 12: "RCODE12", 16: "BADVERS", 23: "BADCOOKIE", 4095: "RCODE4095"]
        for (number, name) in names { #expect(DNSResponseCode(rawValue: UInt16(number)).mnemonic == name) }
    }

    @Test func opcodesAndClassesHaveTheirNames() {
        #expect(DNSOpcode(rawValue: 0).mnemonic == "QUERY")
        #expect(DNSOpcode(rawValue: 3).mnemonic == "OPCODE3")
        #expect(DNSOpcode(rawValue: 3).attribute == "other")
        #expect(DNSClass(rawValue: 1).mnemonic == "IN")
        #expect(DNSClass(rawValue: 0x8001).mnemonic == "CLASS32769")
    }

    @Test func attributesOfTypesAreFew() {
        let attributes = Set((0...UInt16.max).map { DNSType(rawValue: $0).attribute })
        #expect(attributes.count == DNSType.attributeCount)
        #expect(attributes.contains("other"))
        #expect(!attributes.contains { $0.hasPrefix("TYPE") })
    }

    @Test func attributeIndexesLeadBackToTheirTypes() {
        for number in 0...UInt16.max {
            let type = DNSType(rawValue: number)
            let known = DNSType.known(at: type.attributeIndex)
            #expect(known == nil ? type.attribute == "other" : known == type)
        }
    }

    @Test func attributeIndexesLeadBackToTheirCodes() {
        for number in 0...UInt16(4095) {
            let code = DNSResponseCode(rawValue: number)
            #expect(code.attributeIndex < DNSResponseCode.attributeCount)
            let known = DNSResponseCode.known(at: code.attributeIndex)
            #expect(known == nil ? code.attribute == "other" : known == code)
        }
    }
}
