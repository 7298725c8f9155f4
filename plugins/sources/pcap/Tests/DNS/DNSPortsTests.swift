import Testing

@testable import PcapPlugin

@Suite struct DNSPortsTests {
    @Test func servicesAreKnownByEitherPort() {
        let ports = DNSPorts([53, 8053])
        let pairs: [(UInt16, UInt16, DNSService?)] = [
            (40_000, 53, .unicast), (8053, 40_000, .unicast), (5353, 5353, .multicast), (40_000, 5355, .linkLocal),
            (53, 5353, .unicast), (443, 40_000, nil),
        ]
        for (source, destination, expected) in pairs {
            let service = ports.service(source, destination)
            #expect(service == expected)
        }
    }

    @Test func portZeroIsNoPort() {
        let ports = DNSPorts([0])
        let service = ports.service(0, 0)
        #expect(service == nil)
    }
}
