import Foundation
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

/// Rotated files become gzip files, a little after each batch.
@Suite struct CompressionTests {
    private let gzip: [String: FakeHost.Option] = [
        "rotate.size": .size(200_000), "rotate.compress": .string("gzip"), "sync": .string("none"),
    ]

    @Test func aRotatedFileIsReplacedByWhatGunzipReadsBack() throws {
        let directory = try TemporaryDirectory()
        let original = lines(250_000)
        try directory.write(original, to: "m.log")
        chmod(directory.file("m.log"), 0o604)
        let bench = try Bench.started(gzip, in: directory)
        try bench.deliver(.of(1))
        try compressAll(bench)
        #expect(bench.text == Batch.of(1).text())
        #expect(directory.names == ["m.log", "m.log.1.gz"])
        #expect(try gunzip(directory.file("m.log.1.gz")) == original)
        #expect(directory.mode("m.log.1.gz") == 0o604)
    }

    @Test func aLargeFileTakesSeveralDeliveries() throws {
        let directory = try TemporaryDirectory()
        let original = lines(6 << 20)
        try directory.write(original, to: "m.log")
        let bench = try Bench.started(gzip, in: directory)
        try bench.deliver(.of(1))
        #expect(directory.names == ["m.log", "m.log.1", "m.log.gz.tmp"])
        try compressAll(bench)
        #expect(directory.names == ["m.log", "m.log.1.gz"])
        #expect(try gunzip(directory.file("m.log.1.gz")) == original)
    }

    @Test func aRotationMeanwhileMovesTheFileInProgress() throws {
        let directory = try TemporaryDirectory()
        let original = lines(6 << 20)
        try directory.write(original, to: "m.log")
        let bench = try Bench.started(gzip, in: directory)
        try bench.deliver(.of(1))
        try bench.deliver(.of(2...2_000))
        #expect(directory.names == ["m.log", "m.log.1", "m.log.2", "m.log.gz.tmp"])
        try compressAll(bench)
        #expect(directory.names == ["m.log", "m.log.1.gz", "m.log.2.gz"])
        #expect(try gunzip(directory.file("m.log.2.gz")) == original)
        #expect(try gunzip(directory.file("m.log.1.gz")) == Batch.of(1).text())
    }

    @Test func aFileThatLeavesTheRowMeanwhileIsGivenUp() throws {
        let directory = try TemporaryDirectory()
        try directory.write(lines(6 << 20), to: "m.log")
        let bench = try Bench.started(gzip.merging(["rotate.keep": .integer(1)]) { $1 }, in: directory)
        try bench.deliver(.of(1))
        try bench.deliver(.of(2...2_000))
        try compressAll(bench)
        #expect(directory.names == ["m.log", "m.log.1.gz"])
        #expect(try gunzip(directory.file("m.log.1.gz")) == Batch.of(1).text())
    }

    @Test func anInterruptedCompressionBeginsAnew() throws {
        let directory = try TemporaryDirectory()
        try directory.write("old\n", to: "m.log.1")
        try directory.write("half a gzip file", to: "m.log.gz.tmp")
        let bench = try Bench.started(gzip, in: directory)
        #expect(directory.names == ["m.log", "m.log.1"])
        try compressAll(bench)
        #expect(directory.names == ["m.log", "m.log.1.gz"])
        #expect(try gunzip(directory.file("m.log.1.gz")) == "old\n")
    }

    @Test func anOriginalWhoseCompressedFormIsCompleteIsRemoved() throws {
        let directory = try TemporaryDirectory()
        let bench = try Bench.started(gzip, in: directory)
        try directory.write("old\n", to: "m.log.1")
        try compressAll(bench)
        try directory.write("old\n", to: "m.log.1")
        try bench.directory.move("m.log", to: "elsewhere")
        let other = try Bench.started(gzip, in: directory)
        #expect(directory.names == ["elsewhere", "m.log", "m.log.1.gz"])
        #expect(try gunzip(directory.file("m.log.1.gz")) == "old\n")
        withExtendedLifetime(other) {}
    }

    @Test func aCompressedFormOfAnotherLengthIsMadeAnew() throws {
        let directory = try TemporaryDirectory()
        try directory.write("the original\n", to: "m.log.1")
        try directory.write(String(repeating: "x", count: 40), to: "m.log.1.gz")
        let bench = try Bench.started(gzip, in: directory)
        #expect(directory.names == ["m.log", "m.log.1"])
        try compressAll(bench)
        #expect(try gunzip(directory.file("m.log.1.gz")) == "the original\n")
    }

    @Test func aFIFOInTheRowStopsCompressionAndNotDelivery() throws {
        let directory = try TemporaryDirectory()
        mkfifo(directory.file("m.log.1"), 0o600)
        let bench = try Bench.started(gzip, in: directory)
        try bench.deliver(.of(1))
        try bench.deliver(.of(2))
        #expect(bench.text == Batch.of(1...2).text())
        #expect(bench.harness.host.log.filter { $0.contains("SND-FIL031") }.count == 1)
    }

    @Test func aFailureThatComesAtEveryRotationIsToldOnceUntilACompressionSucceeds() throws {
        let directory = try TemporaryDirectory()
        let bench = try Bench.started(
            ["rotate.size": .size(1), "rotate.compress": .string("gzip"), "rotate.keep": .integer(50)], in: directory)
        var warnings: Int { bench.harness.host.log.count { $0.hasPrefix("warning: SND-FIL031") } }
        mkdir(directory.file("m.log.gz.tmp"), 0o700)
        for number in UInt64(1)...10 { try bench.deliver(.of(number)) }
        #expect(warnings == 1)
        #expect(bench.harness.host.log.contains { $0.hasPrefix("debug: SND-FIL031") })
        rmdir(directory.file("m.log.gz.tmp"))
        try bench.deliver(.of(11))
        try compressAll(bench)
        mkdir(directory.file("m.log.gz.tmp"), 0o700)
        for number in UInt64(12)...16 { try bench.deliver(.of(number)) }
        #expect(warnings == 2)
    }

    /// Delivers batches without lines, which rotate nothing, as long as an uncompressed file is in the row.
    private func compressAll(_ bench: Bench) throws {
        let empty = Batch(identity: BatchIdentity(agent: "a", epoch: "e", first: 1, last: 1), sink: "local")
        for _ in 0..<2_000 {
            try bench.deliver(empty)
            if !bench.directory.names.contains(where: { $0.hasSuffix(".tmp") || $0.last?.isNumber == true }) { return }
        }
    }

    private func gunzip(_ path: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/gunzip")
        process.arguments = ["-c", path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }

    /// Lines of random digits, so that compressing them takes its time.
    private func lines(_ count: Int) -> String {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let isEnd = bytes.count % 100 == 99 || bytes.count == count - 1
            bytes.append(isEnd ? 0x0A : UInt8(33 + (state >> 40) % 90))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
