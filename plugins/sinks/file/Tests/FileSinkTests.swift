import Foundation
import SondeDomain
import SondeFormats
import SondePluginKit
import SondeTestKit
import Testing

/// What a healthy file looks like.
@Suite struct FileSinkTests {
    @Test func batchesFollowEachOther() throws {
        let bench = try Bench.started()
        try bench.deliver(.of(1...3))
        try bench.deliver(.of(4...5))
        #expect(bench.text == Batch.of(1...5).text())
        #expect(bench.directory.names == ["m.log"])
    }

    @Test func aRestartAppends() throws {
        let directory = try TemporaryDirectory()
        try Bench.started(in: directory).deliver(.of(1))
        try Bench.started(in: directory).deliver(.of(2))
        #expect(directory.text("m.log") == Batch.of(1...2).text())
    }

    @Test(arguments: LineFormat.allCases)
    func everyFormatIsWrittenAsItsEncoderSpellsIt(_ format: LineFormat) throws {
        let bench = try Bench.started(["format": .string(format.rawValue)])
        try bench.deliver(.of(1...2))
        #expect(bench.text == Batch.of(1...2).text(format))
    }

    @Test(arguments: ["none", "batch", "rotate"])
    func aPageIsReplacedWithEachBatch(_ policy: String) throws {
        let bench = try Bench.started([
            "format": .string("prometheus_textfile"), "sync": .string(policy), "mode": .string("0644"),
        ])
        #expect(bench.text == nil)
        for number: UInt64 in 1...3 {
            try bench.deliver(.of(number))
            #expect(
                bench.text == """
                    # HELP system_network_io_bytes_total system.network.io in By
                    # TYPE system_network_io_bytes_total counter
                    system_network_io_bytes_total{host="h",network_interface_name="lo"} \(number)

                    """)
        }
        #expect(bench.directory.names == ["m.log"])
        var status = stat()
        #expect(stat(bench.directory.file("m.log"), &status) == 0 && status.st_mode & 0o777 == 0o644)
    }

    @Test func aPageTakesThePlaceOfNothingButAFile() throws {
        let bench = try Bench.started(["format": .string("prometheus_textfile")])
        try bench.deliver(.of(1))
        #expect(rename(bench.directory.file("m.log"), bench.directory.file("kept")) == 0)
        #expect(mkdir(bench.directory.file("m.log"), 0o755) == 0)
        #expect(bench.deliveryFailure(.of(2))?.code == "SND-FIL004")
        #expect(rmdir(bench.directory.file("m.log")) == 0)
        try bench.deliver(.of(2))
        #expect(bench.text?.hasSuffix(" 2\n") == true)
    }

    @Test(arguments: ["none", "batch", "rotate"])
    func everySyncPolicyDelivers(_ policy: String) throws {
        let bench = try Bench.started(["sync": .string(policy)])
        try bench.deliver(.of(1))
        #expect(bench.text == Batch.of(1).text())
    }

    @Test func snapshotsAreLinesOfJSON() throws {
        let bench = try Bench.started()
        try bench.deliver(snapshot)
        #expect(bench.text == #"{"schema":"sonde.snapshot/1"}"# + "\n")
    }

    @Test func snapshotsAreLeftOutOfOtherFormatsAndThatIsSaidOnce() throws {
        let bench = try Bench.started(["format": .string("influx")])
        try bench.deliver(snapshot)
        try bench.deliver(snapshot)
        #expect(bench.text == "")
        #expect(bench.harness.host.log.filter { $0.contains("snapshots are left out") }.count == 1)
    }

    @Test func aPointThatTheFormatCannotSayIsCounted() throws {
        let bench = try Bench.started(["format": .string("influx")])
        let series = Series(id: SeriesID(rawValue: 1), source: "s", name: "n", kind: .gauge, unit: "")
        let point = MetricPoint(series: series.id, time: Timestamp(seconds: 1), value: .unsigned(.max))
        let identity = BatchIdentity(agent: "a", epoch: "e", first: 1, last: 1)
        let entry = Batch.Entry(seriesIndex: 0, point: point)
        let batch = Batch(identity: identity, sink: "local", series: [series], entries: [entry])
        var buffer = ByteBuffer()
        var encoder = LineFormat.influx.makeEncoder()
        let leftOut = encoder.encode(batch, into: &buffer).leftOut
        try bench.deliver(batch)
        #expect(bench.harness.delivery.rejectedPoints == UInt64(leftOut))
        #expect(bench.harness.delivery.message.isEmpty == (leftOut == 0))
    }

    @Test func aBatchWithoutLinesLeavesTheFileAlone() throws {
        let bench = try Bench.started()
        try bench.deliver(Batch(identity: BatchIdentity(agent: "a", epoch: "e", first: 1, last: 1), sink: "local"))
        #expect(bench.text == "")
    }

    @Test func aNewFileGetsTheConfiguredMode() throws {
        let bench = try Bench.started(["mode": .string("0664")])
        #expect(bench.directory.mode("m.log") == 0o664)
    }

    @Test func anExistingFileKeepsItsMode() throws {
        let directory = try TemporaryDirectory()
        try directory.write("", to: "m.log")
        chmod(directory.file("m.log"), 0o600)
        _ = try Bench.started(["mode": .string("0664")], in: directory)
        #expect(directory.mode("m.log") == 0o600)
    }

    @Test func startMayRunTwice() throws {
        let bench = try Bench.started()
        try bench.harness.start()
        try bench.deliver(.of(1))
        #expect(bench.text == Batch.of(1).text())
    }

    private var snapshot: Batch {
        Batch(
            identity: BatchIdentity(agent: "a", epoch: "e", first: 1, last: 1),
            sink: "local",
            documents: [
                Document(
                    schema: "sonde.snapshot/1",
                    time: Timestamp(seconds: 1),
                    json: Array(#"{"schema":"sonde.snapshot/1"}"#.utf8)
                )
            ]
        )
    }
}
