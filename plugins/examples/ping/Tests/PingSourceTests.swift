import Glibc
import PingPlugin
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

/// Real echoes in network namespaces of their own, where every group may make ICMP sockets.
@Suite(.enabled(if: OwnNamespace.isPermitted, "a network namespace takes root"))
struct PingSourceTests {
    private struct CommandFailed: Error {
        let command: String
        let status: Int32
    }

    /// Runs the body in a namespace that these commands of the shell have prepared.
    private func inNamespace(_ commands: [String], _ body: @escaping @Sendable () throws -> Void) throws {
        try OwnNamespace.run {
            for command in ["echo 0 2147483647 > /proc/sys/net/ipv4/ping_group_range"] + commands {
                let status = system(command)
                guard status == 0 else { throw CommandFailed(command: command, status: status) }
            }
            try body()
        }
    }

    private static func harness(_ hosts: [String], count: Int64 = 2) throws -> PluginHarness {
        try PluginHarness(
            pingPlugin(),
            options: [
                "hosts": .list(hosts), "count": .integer(count), "spacing": .duration(.milliseconds(10)),
                "timeout": .duration(.milliseconds(100)),
            ])
    }

    @Test func answersAndTheirTimesAreCountedForBothVersionsOfIP() throws {
        try inNamespace(["ip link set lo up"]) {
            let harness = try Self.harness(["127.0.0.1", "::1"])
            try harness.start()
            try harness.collect()
            try harness.collect()
            let last = harness.host.lastCommit
            for address in ["127.0.0.1", "::1"] {
                #expect(last["ping.sent{network.peer.address=\(address)}"] == .unsigned(4))
                #expect(last["ping.received{network.peer.address=\(address)}"] == .unsigned(4))
                guard case .histogram(let times)? = last["ping.round_trip.time{network.peer.address=\(address)}"] else {
                    Issue.record("no times of \(address)")
                    continue
                }
                #expect(times.count == 4)
                #expect(try #require(times.sum) < 0.4)
            }
        }
    }

    @Test func aHostThatIsSilentLosesAndDelaysNoOther() throws {
        // What is sent there comes back to this host and is not for it.
        try inNamespace(["ip link set lo up", "ip route add 192.0.2.0/24 dev lo"]) {
            let harness = try Self.harness(["192.0.2.1", "127.0.0.1"])
            try harness.start()
            try harness.collect()
            let last = harness.host.lastCommit
            #expect(last["ping.sent{network.peer.address=192.0.2.1}"] == .unsigned(2))
            #expect(last["ping.received{network.peer.address=192.0.2.1}"] == .unsigned(0))
            #expect(last["ping.received{network.peer.address=127.0.0.1}"] == .unsigned(2))
            #expect(harness.host.troubles == [])
        }
    }

    @Test func aHostWithoutARouteIsTroubleUntilItAnswers() throws {
        try inNamespace(["ip link set lo up"]) {
            let harness = try Self.harness(["192.0.2.1", "127.0.0.1"])
            try harness.start()
            try harness.collect()
            #expect(harness.host.lastCommit["ping.sent{network.peer.address=192.0.2.1}"] == .unsigned(2))
            #expect(harness.host.lastCommit["ping.received{network.peer.address=192.0.2.1}"] == .unsigned(0))
            #expect(harness.host.troubles.map(\.code) == ["PING-003"])
            #expect(harness.host.troubles.map(\.optionPath) == ["hosts[0]"])
            #expect(system("ip address add 192.0.2.1/32 dev lo") == 0)
            try harness.collect()
            #expect(harness.host.lastCommit["ping.received{network.peer.address=192.0.2.1}"] == .unsigned(2))
            #expect(harness.host.troubles == [])
        }
    }

    @Test func aCallThatIsCancelledEndsAtOnceAndCommits() throws {
        try inNamespace(["ip link set lo up", "ip route add 192.0.2.0/24 dev lo"]) {
            let harness = try PluginHarness(
                pingPlugin(),
                options: [
                    "hosts": .list(["192.0.2.1"]), "count": .integer(20), "spacing": .duration(.seconds(1)),
                    "timeout": .duration(.seconds(10)),
                ])
            try harness.start()
            harness.cancel()
            let began = ContinuousClock.now
            try harness.collect()
            #expect(ContinuousClock.now - began < .seconds(1))
            #expect(harness.host.lastCommit["ping.sent{network.peer.address=192.0.2.1}"] == .unsigned(1))
        }
    }

    @Test func withoutThePermissionOfTheSystemItSaysWhatToSet() throws {
        try OwnNamespace.run {
            // A new namespace lets no group.
            let harness = try Self.harness(["127.0.0.1"])
            let error = #expect(throws: PluginError.self) { try harness.start() }
            #expect(error?.code == "PING-001")
            #expect(error?.failureClass == .configuration)
            #expect(error?.hint.contains("ping_group_range") == true)
        }
    }
}

@Suite struct PingOptionsTests {
    @Test(arguments: [
        (["example.net"], "hosts[0]"), (["127.0.0.1", ""], "hosts[1]"), (["::1", "::1"], "hosts[1]"), ([], "hosts"),
        ((1...65).map { "192.0.2.\($0)" }, "hosts"),
    ])
    func hostsThatAreNoneAreRefusedWithTheirPlace(_ hosts: [String], _ option: String) {
        let error = #expect(throws: PluginError.self) {
            try PluginHarness(pingPlugin(), options: ["hosts": .list(hosts)])
        }
        #expect(error?.code == "PING-002")
        #expect(error?.optionPath == option)
    }

    @Test func addressesOfBothVersionsAreTaken() throws {
        _ = try PluginHarness(pingPlugin(), options: ["hosts": .list(["192.0.2.1", "2001:db8::1", "fe80::1%lo"])])
    }

    @Test func theReadmeNamesEveryOptionAndShowsTheSample() throws {
        let readme = PluginReadme()
        #expect(readme.showsSample)
        #expect(["count", "spacing", "timeout"].map(readme.defaultText) == ["`3`", "`200ms`", "`1s`"])
    }
}
