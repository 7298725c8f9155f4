import Foundation
import Glibc
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

/// When the file is rotated, and what is kept.
@Suite struct RotationTests {
    @Test func aBatchThatWouldExceedTheSizeGoesToANewFile() throws {
        let bench = try Bench.started(["rotate.size": .size(Batch.of(1...2).size)])
        try bench.deliver(.of(1))
        try bench.deliver(.of(2))
        #expect(bench.directory.names == ["m.log"])
        try bench.deliver(.of(3))
        #expect(bench.text == Batch.of(3).text())
        #expect(bench.directory.text("m.log.1") == Batch.of(1...2).text())
    }

    @Test func aBatchLargerThanTheSizeIsWrittenWholeAndAlone() throws {
        let bench = try Bench.started(["rotate.size": .size(10)])
        try bench.deliver(.of(1...50))
        #expect(bench.text == Batch.of(1...50).text())
        #expect(bench.directory.names == ["m.log"])
    }

    @Test func sizeZeroNeverRotates() throws {
        let bench = try Bench.started(["rotate.size": .size(0)])
        for number in UInt64(1)...20 { try bench.deliver(.of(number)) }
        #expect(bench.directory.names == ["m.log"])
    }

    @Test func onlyTheNewestAreKept() throws {
        let bench = try Bench.started(["rotate.size": .size(1), "rotate.keep": .integer(3)])
        for number in UInt64(1)...6 { try bench.deliver(.of(number)) }
        #expect(bench.directory.names == ["m.log", "m.log.1", "m.log.2", "m.log.3"])
        #expect(bench.text == Batch.of(6).text())
        for slot in UInt64(1)...3 {
            #expect(bench.directory.text("m.log.\(slot)") == Batch.of(6 - slot).text())
        }
    }

    @Test func aLoweredKeepRemovesTheOldestAtTheNextRotation() throws {
        let directory = try TemporaryDirectory()
        let names = ["m.log", "m.log.1", "m.log.2", "m.log.3", "m.log.4.gz", "m.log.5", "m.log.7"]
        for name in names { try directory.write("\(name)\n", to: name) }
        let bench = try Bench.started(["rotate.size": .size(1), "rotate.keep": .integer(2)], in: directory)
        #expect(directory.names == names)
        try bench.deliver(.of(1))
        #expect(directory.names == ["m.log", "m.log.1", "m.log.2", "m.log.7"])
        #expect(directory.text("m.log.1") == "m.log\n")
        #expect(directory.text("m.log.2") == "m.log.1\n")
    }

    @Test func anOldFileIsRotated() throws {
        let bench = try Bench.started(["rotate.age": .duration(.seconds(3_600))])
        try bench.deliver(.of(1))
        bench.harness.host.wallTime.nanoseconds += 3_599_000_000_000
        try bench.deliver(.of(2))
        #expect(bench.directory.names == ["m.log"])
        bench.harness.host.wallTime.nanoseconds += 1_000_000_000
        try bench.deliver(.of(3))
        #expect(bench.text == Batch.of(3).text())
        #expect(bench.directory.text("m.log.1") == Batch.of(1...2).text())
    }

    @Test func ageCountsFromTheFirstBatchOfEachFile() throws {
        let bench = try Bench.started(["rotate.age": .duration(.seconds(60))])
        for number in UInt64(1)...4 {
            try bench.deliver(.of(number))
            bench.harness.host.wallTime.nanoseconds += 30_000_000_000
        }
        #expect(bench.text == Batch.of(3...4).text())
        #expect(bench.directory.text("m.log.1") == Batch.of(1...2).text())
    }

    @Test func ageSurvivesARestart() throws {
        let directory = try TemporaryDirectory()
        let options: [String: FakeHost.Option] = ["rotate.age": .duration(.seconds(86_400))]
        try Bench.started(options, in: directory).deliver(.of(1))
        try deliver(2, hoursFromNow: 23, options, in: directory)
        #expect(directory.names == ["m.log"])
        try deliver(3, hoursFromNow: 25, options, in: directory)
        #expect(directory.text("m.log.1") == Batch.of(1...2).text())
        #expect(directory.text("m.log") == Batch.of(3).text())
    }

    @Test func anEmptyFileIsNeverRotated() throws {
        let directory = try TemporaryDirectory()
        try directory.write("", to: "m.log")
        try deliver(1, hoursFromNow: 10_000, ["rotate.age": .duration(.seconds(60))], in: directory)
        #expect(directory.names == ["m.log"])
    }

    @Test func aClockThatStepsBackRotatesNothing() throws {
        let bench = try Bench.started(["rotate.age": .duration(.seconds(60))])
        try bench.deliver(.of(1))
        bench.harness.host.wallTime = Timestamp(nanoseconds: .min)
        try bench.deliver(.of(2))
        #expect(bench.directory.names == ["m.log"])
    }

    @Test(.enabled(if: OtherUser.isAvailable))
    func aRotationThatFailsHoldsUpNothingAndIsTriedAgainAfterAMinute() throws {
        let directory = try TemporaryDirectory()
        chmod(directory.path, 0o755)
        try directory.write("{}\n", to: "m.log")
        chown(directory.file("m.log"), 65_534, 65_534)
        let bench = try Bench(["rotate.size": .size(1)], in: directory)
        bench.harness.host.monotonicTime = MonotonicInstant(nanoseconds: 1)
        let failures = OtherUser.run { (1...3).map { bench.deliveryFailure(.of(UInt64($0))) } }
        #expect(failures == [nil, nil, nil])
        #expect(bench.text == "{}\n" + Batch.of(1...3).text())
        #expect(bench.harness.host.log.filter { $0.contains("SND-FIL030") }.count == 1)
        bench.harness.host.monotonicTime = MonotonicInstant(nanoseconds: 60_000_000_001)
        try bench.deliver(.of(4))
        #expect(bench.text == Batch.of(4).text())
    }

    private func deliver(
        _ number: UInt64,
        hoursFromNow hours: Int64,
        _ options: [String: FakeHost.Option],
        in directory: TemporaryDirectory
    ) throws {
        let bench = try Bench.started(options, in: directory)
        bench.harness.host.wallTime = Timestamp(seconds: Int64(time(nil)) + hours * 3_600)
        try bench.deliver(.of(number))
    }
}
