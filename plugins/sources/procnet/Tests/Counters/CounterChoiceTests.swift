import SondeDomain
import SondeTestKit
import Testing

@testable import ProcNetPlugin

@Suite struct CounterChoiceTests {
    private func names(_ counters: [String]) throws -> Set<String> {
        let harness = try ProcTree.started(
            ProcTree.fixture("linux-6.18"), tables: [.snmp, .netstat, .snmp6], counters: counters)
        try harness.collect()
        return Set(harness.host.commits.last?.map(\.name) ?? [])
    }

    @Test func theHeadlineIsAPartOfAll() throws {
        let headline = try names([])
        let all = try names(["all"])
        #expect(headline == (try names(["headline"])))
        #expect(headline.isStrictSubset(of: all))
        #expect(headline.contains("sonde.kernel.tcp.curr_estab"), "the snapshot of connections is made of it")
        #expect(headline.contains("sonde.tcp.syn_cookie.sent"))
        #expect(headline.contains("sonde.icmp.message.count"))
        #expect(!headline.contains("sonde.kernel.tcp_ext.tcp_hp_hits"))
        #expect(!headline.contains { $0.hasPrefix("sonde.kernel.mptcp_ext.") })
    }

    @Test func globsAddColumnsToTheHeadlineOrStandAlone() throws {
        let headline = try names([])
        let more = try names(["headline", "TcpExt.TCPHP*"])
        #expect(more.subtracting(headline) == ["sonde.kernel.tcp_ext.tcp_hp_hits", "sonde.kernel.tcp_ext.tcp_hp_acks"])
        #expect(
            try names(["Tcp.OutRsts", "Udp6.In*"]) == [
                "sonde.tcp.reset.sent", "sonde.udp.datagram.count", "sonde.udp.datagram.error",
                "sonde.kernel.udp6.in_errors",
            ])
    }

    @Test func whatNobodyAskedForIsNoSeries() throws {
        let harness = try ProcTree.started(ProcTree.fixture("linux-6.18"), tables: [.snmp], counters: ["Tcp.OutRsts"])
        try harness.collect()
        #expect(harness.host.series.count == 1)
    }

    @Test func everyHeadlineColumnThatTheKernelHasIsKnown() {
        var found = 0
        for row in KnownColumns.rows {
            for column in row.columns.split(separator: " ").map(String.init)
            where CounterChoice.isHeadline(row: row.name, column: column) {
                found += 1
            }
        }
        #expect(found > 150)
    }
}
