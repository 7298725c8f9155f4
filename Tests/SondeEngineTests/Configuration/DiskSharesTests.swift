import SondeDomain
import Testing

@testable import SondeEngine

/// How a limit on the state directory is divided.
@Suite struct DiskSharesTests {
    private static let mark = SourceMark(file: "sonde.yaml", line: 1, column: 1)

    private func configuration(
        disk: Int64?, state: String? = "/s", sinks: Int = 1, set: [String] = [], letters: Int64? = nil
    ) -> AgentConfiguration {
        var agent = AgentSettings()
        agent.limits.disk = disk
        agent.stateDirectory = state
        for key in set { agent.marks[key] = Self.mark }
        let all = (0..<sinks).map { number in
            var sink = SinkConfiguration(id: "s\(number)", plugin: "file")
            if let letters {
                sink.deadLetterMaxBytes = letters
                sink.marks["dead_letter.max_bytes"] = Self.mark
            }
            return sink
        }
        return AgentConfiguration(agent: agent, sinks: all)
    }

    @Test func withoutALimitOrAStateNothingIsDivided() {
        #expect(DiskShares(configuration(disk: nil)) == nil)
        #expect(DiskShares(configuration(disk: 256 << 20, state: nil)) == nil)
    }

    @Test(arguments: [32, 48, 64, 256, 1_024] as [Int64], [1, 2, 5])
    func allPartsTogetherAreWithinTheLimit(mebibytes: Int64, sinks: Int) throws {
        let shares = try #require(DiskShares(configuration(disk: mebibytes << 20, sinks: sinks)))
        let letters = shares.deadLetters.values.reduce(0, +)
        #expect(shares.spool + shares.history + letters <= mebibytes << 20)
        #expect(shares.spool >= DiskShares.leastSpool)
        #expect(shares.history >= DiskShares.leastHistory)
        #expect(shares.excess == nil)
    }

    @Test func whatIsSetIsKeptAndTheQueueGetsTheRest() throws {
        var configured = configuration(
            disk: 256 << 20, set: ["history.max_bytes"], letters: 10 << 20)
        configured.agent.historyMaxBytes = 100 << 20
        let shares = try #require(DiskShares(configured))
        #expect(shares.history == 100 << 20)
        #expect(shares.deadLetters == ["s0": 10 << 20])
        #expect(shares.spool == 145 << 20)
    }

    @Test func moreThanTheLimitIsAnExcess() throws {
        var configured = configuration(disk: 64 << 20)
        configured.agent.spoolMaxBytes = 64 << 20
        let shares = try #require(DiskShares(configured))
        #expect(shares.excess.map { $0 > 0 } ?? false)
    }
}
