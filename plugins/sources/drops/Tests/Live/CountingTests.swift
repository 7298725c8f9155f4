import CSondePlugin
import Glibc
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import DropsPlugin

extension LiveTests {
    /// What an instance counts of traffic of our own.
    ///
    /// The kernel counts the whole host: what is exact is what nobody else does,
    /// and so a count that others have added to is taken again.
    @Suite struct CountingTests {
        private func started(_ options: [String: FakeHost.Option] = [:]) throws -> PluginHarness {
            let harness = try PluginHarness(sonde_plugin_drops(), options: options)
            try harness.start()
            return harness
        }

        private func value(_ harness: PluginHarness, _ series: String) throws -> UInt64 {
            try harness.collect()
            guard case .unsigned(let count) = harness.host.lastCommit[series] else { return 0 }
            return count
        }

        /// Sends to a port of the loopback where nobody listens.
        private func send(_ count: Int, toIPv6 isIPv6: Bool) {
            let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            defer { close(descriptor) }
            var byte: UInt8 = 1
            if isIPv6 {
                var address = sockaddr_in6()
                address.sin6_family = sa_family_t(AF_INET6)
                address.sin6_port = in_port_t(9).bigEndian
                address.sin6_addr = in6addr_loopback
                for _ in 0..<count {
                    withUnsafePointer(to: &address) { pointer in
                        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                            _ = sendto(descriptor, &byte, 1, 0, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                        }
                    }
                }
            } else {
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_port = in_port_t(9).bigEndian
                address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
                for _ in 0..<count {
                    withUnsafePointer(to: &address) { pointer in
                        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                            _ = sendto(descriptor, &byte, 1, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                        }
                    }
                }
            }
        }

        @Test(arguments: [("ipv4", false), ("ipv6", true)])
        func everyDroppedDatagramIsCountedOnce(_ network: String, _ isIPv6: Bool) throws {
            let harness = try started()
            let series = "sonde.drop.packet.count{network.type=\(network),sonde.drop.reason=no_socket,sonde.scope=host}"
            var growth: [UInt64] = []
            for _ in 0..<10 where growth.last != 5_000 {
                let before = try value(harness, series)
                send(5_000, toIPv6: isIPv6)
                growth.append(try value(harness, series) - before)
            }
            // Others send to closed ports too, over IPv4 mostly: the guide's experiments are exact for that.
            if isIPv6 { #expect(growth.last == 5_000, "\(growth)") }
            #expect(growth.allSatisfy { $0 >= 5_000 })
            #expect(harness.host.losses.isEmpty)
        }

        @Test func countersBeginAtTheStartAndStandInTheCatalog() throws {
            let harness = try started()
            send(10, toIPv6: false)
            try harness.collect()
            let catalog = Dictionary(uniqueKeysWithValues: DropsSource.descriptor.metrics.map { ($0.name, $0) })
            #expect(!harness.host.series.isEmpty)
            for series in harness.host.series.map(\.specification) {
                let metric = try #require(catalog[series.name])
                #expect(metric.kind == series.kind && metric.unit == series.unit, "\(series.name)")
                #expect(Set(series.attributes.map(\.name)) == Set(metric.attributes), "\(series.name)")
                #expect(series.start != nil)
            }
        }

        @Test func whatIsSwitchedOffIsAbsent() throws {
            let harness = try started([
                "drops": .bool(false), "retransmissions": .bool(false), "resets_sent": .bool(false),
                "resets_received": .bool(false),
            ])
            try harness.collect()
            #expect(Set(harness.host.series.map(\.specification.name)) == ["sonde.trace.tcp.handshake.count"])
            // Of abandoned ones the kernel seldom tells, so that 0 would say too much.
            let results = harness.host.series.map { series in
                series.specification.attributes.first { $0.name == "sonde.tcp.handshake.result" }?.value
            }
            #expect(results == ["established", "established", "failed", "failed", "accepted", "accepted"])
        }

        /// A kernel without reasons counts the rest, and says what it lacks.
        @Test func whatAKernelLacksIsAbsentAndReported() throws {
            let kernel = try Fixture.runnable("linux-5.10")
            let harness = try started(["tracing": .string(kernel.path)])
            #expect(harness.host.troubles.map(\.code) == Array(repeating: "SND-DRP004", count: 3))
            #expect(harness.host.troubles.first?.message.contains("field 'reason'") == true)
            try harness.collect()
            #expect(!harness.host.series.contains { $0.specification.name == "sonde.drop.packet.count" })
        }

        @Test func whereNothingIsLeftToCountTheSourceFails() throws {
            let harness = try PluginHarness(
                sonde_plugin_drops(),
                options: [
                    "tracing": .string(Fixture.path("linux-5.10")), "retransmissions": .bool(false),
                    "resets_sent": .bool(false),
                ])
            let error = #expect(throws: PluginError.self) { try harness.start() }
            #expect(error?.code == "SND-DRP004" && error?.failureClass == .configuration)
            #expect(error?.optionPath == "drops" && error?.hint.contains("drops: false") == true)
        }

        @Test func aProgramThatWasStartedTwiceCountsOnce() throws {
            let harness = try started()
            let open = Tracing.openDescriptors
            try harness.start()
            #expect(Tracing.openDescriptors == open)
        }
    }
}
