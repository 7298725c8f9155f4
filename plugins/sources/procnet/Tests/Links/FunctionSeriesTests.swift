import SondeDomain
import SondeNetlink
import SondeTestKit
import Testing

@testable import ProcNetPlugin

/// Virtual functions of network cards: no machine of ours has any, the answers are built as the kernel builds them.
@Suite struct FunctionSeriesTests {
    private static let counts: [UInt16: UInt64] = [0: 10, 1: 20, 2: 1_000, 3: 2_000, 4: 1, 5: 2, 7: 3, 8: 4]

    private func bench(_ functions: [[UInt16: UInt64]]) -> LinkBench {
        var card = FakeLink.hardware(2, "eth0")
        card.functions = functions
        return LinkBench([.loopback, card, .virtual(3, "veth0", "veth")]) { $0.extras = [.functions] }
    }

    private func value(_ values: [String: SampleValue], _ metric: String, _ way: String, _ number: Int) -> SampleValue?
    {
        let attributes = "network.interface.name=eth0,network.io.direction=\(way),sonde.vf.number=\(number)"
        return values["sonde.network.vf.\(metric){\(attributes)}"]
    }

    @Test func everyCountOfAFunctionIsTold() throws {
        let values = try bench([Self.counts, [2: 77]]).collect()
        #expect(value(values, "io", "receive", 0) == .unsigned(1_000))
        #expect(value(values, "io", "transmit", 0) == .unsigned(2_000))
        #expect(value(values, "packet.count", "receive", 0) == .unsigned(10))
        #expect(value(values, "packet.count", "transmit", 0) == .unsigned(20))
        #expect(value(values, "broadcast", "receive", 0) == .unsigned(1))
        #expect(value(values, "multicast", "receive", 0) == .unsigned(2))
        #expect(value(values, "packet.dropped", "receive", 0) == .unsigned(3))
        #expect(value(values, "packet.dropped", "transmit", 0) == .unsigned(4))
        #expect(value(values, "io", "receive", 1) == .unsigned(77))
        #expect(value(values, "io", "transmit", 1) == nil, "what a driver does not tell is not 0")
    }

    @Test func whereThereAreNoneTheyAreLookedForOnceAMinute() throws {
        let bench = bench([])
        try bench.collect()
        _ = bench.kernel.takeRequests(18)
        for _ in 0..<5 { try bench.collect() }
        #expect(bench.kernel.takeRequests(18) == 0)
        try bench.collect()
        #expect(bench.kernel.takeRequests(18) == 1, "one card, and no virtual device")
    }

    @Test func functionsThatAreSwitchedOffAreClosed() throws {
        let bench = bench([Self.counts, Self.counts])
        try bench.collect()
        bench.change("eth0") { $0.functions.removeLast() }
        let values = try bench.collect()
        #expect(value(values, "io", "receive", 0) == .unsigned(1_000))
        let gone = bench.fake.series.filter { $0.specification.attributes.contains(Attribute("sonde.vf.number", "1")) }
        #expect(gone.count == 8)
        #expect(gone.allSatisfy { !$0.isOpen })
    }

    @Test func theyAreBounded() throws {
        let values = try bench(Array(repeating: [2: 1], count: 300)).collect()
        #expect(values.keys.count { $0.hasPrefix("sonde.network.vf.") } == FunctionSeries.limit)
    }

    @Test func theRunningKernelAnswersAboutDevicesWithoutFunctions() throws {
        let reader = try LinkReader()
        #expect(try reader.virtualFunctions(of: 1, limit: 4).isEmpty, "the loopback")
        let error = #expect(throws: NetlinkError.self) { try reader.virtualFunctions(of: .max, limit: 4) }
        #expect(error?.isAbsence == true)
    }
}
