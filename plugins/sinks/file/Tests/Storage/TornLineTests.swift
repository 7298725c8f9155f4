import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

/// What a killed agent leaves at the end of the file.
@Suite struct TornLineTests {
    @Test func atEveryByteTheTornLineIsCutAndItsBatchComesWhole() throws {
        let whole = Batch.of(1).text()
        let torn = Array(Batch.of(2).text().utf8)
        let directory = try TemporaryDirectory()
        for count in 1..<torn.count {
            try directory.write(whole + String(decoding: torn[..<count], as: UTF8.self), to: "m.log")
            let bench = try Bench.started(in: directory)
            try bench.deliver(.of(2))
            #expect(bench.text == whole + Batch.of(2).text())
        }
    }

    @Test func theCutIsLogged() throws {
        let directory = try TemporaryDirectory()
        try directory.write("{}\n{\"ti", to: "m.log")
        let bench = try Bench.started(in: directory)
        #expect(bench.harness.host.log.contains { $0.contains("cut a torn last line of 4 bytes") })
    }

    @Test func zerosOfAPowerLossAreCut() throws {
        let directory = try TemporaryDirectory()
        try directory.write("{}\n" + String(repeating: "\0", count: 100_000), to: "m.log")
        let bench = try Bench.started(in: directory)
        try bench.deliver(.of(1))
        #expect(bench.text == "{}\n" + Batch.of(1).text())
    }

    @Test(arguments: ["no line at all", String(repeating: "x", count: (1 << 20) + 70_000)])
    func aFileWithoutALineEndWithinReachIsNotCut(_ text: String) throws {
        let directory = try TemporaryDirectory()
        try directory.write(text, to: "m.log")
        let bench = try Bench.started(["rotate.size": .size(0)], in: directory)
        try bench.deliver(.of(1))
        #expect(bench.text == text + "\n" + Batch.of(1).text())
    }

    @Test func aWholeFileIsLeftAlone() throws {
        let directory = try TemporaryDirectory()
        try directory.write("{}\n{}\n", to: "m.log")
        let bench = try Bench.started(in: directory)
        #expect(bench.text == "{}\n{}\n")
        #expect(bench.harness.host.log.isEmpty)
    }
}
