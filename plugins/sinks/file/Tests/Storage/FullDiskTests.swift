import Glibc
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import FilePlugin

/// A real file system without space.
@Suite(.enabled(if: SmallDisk.isAvailable)) struct FullDiskTests {
    private let large = Batch.of(2...200)

    @Test func aBatchThatDoesNotFitIsTakenBackAndRetriedWithoutTrace() throws {
        let disk = try SmallDisk()
        let bench = try Bench.started(in: disk.mountPoint)
        try bench.deliver(.of(1))
        try disk.fill(leaving: 2)
        for _ in 0..<3 {
            let error = bench.deliveryFailure(large)
            #expect(error?.code == "SND-FIL010")
            #expect(error?.failureClass == .resource)
            #expect(bench.text == Batch.of(1).text())
        }
        try disk.free()
        try bench.deliver(large)
        #expect(bench.text == Batch.of(1...200).text())
    }

    @Test func whatCannotBeTakenBackIsIsolatedOnALineOfItsOwn() throws {
        let disk = try SmallDisk()
        let bench = try Bench.started(in: disk.mountPoint)
        try bench.deliver(.of(1))
        try disk.fill(leaving: 2)
        try #require(disk.setAppendOnly("m.log", .on))
        #expect(bench.deliveryFailure(large)?.code == "SND-FIL010")
        let torn = try #require(bench.text)
        #expect(torn != Batch.of(1).text())
        try disk.free()
        try bench.deliver(large)
        #expect(bench.text == torn + "\n" + large.text())
        #expect(disk.setAppendOnly("m.log", .off))
    }

    @Test func whatCouldNotBeTakenBackAtOnceIsTakenBackLater() throws {
        let disk = try SmallDisk()
        let bench = try Bench.started(in: disk.mountPoint)
        try bench.deliver(.of(1))
        try disk.fill(leaving: 2)
        try #require(disk.setAppendOnly("m.log", .on))
        #expect(bench.deliveryFailure(large)?.code == "SND-FIL010")
        #expect(disk.setAppendOnly("m.log", .off))
        try disk.free()
        try bench.deliver(large)
        #expect(bench.text == Batch.of(1...200).text())
    }

    @Test func halfALineThatCannotBeEndedForLackOfSpaceIsEndedLater() throws {
        let disk = try SmallDisk()
        let bench = try Bench.started(in: disk.mountPoint)
        let half = String(repeating: "x", count: 4_096)
        try disk.mountPoint.write(half, to: "m.log")
        try disk.fill(leaving: 0)
        for _ in 0..<2 { #expect(bench.deliveryFailure(.of(1))?.code == "SND-FIL010") }
        try disk.free()
        try bench.deliver(.of(1))
        #expect(bench.text == half + "\n" + Batch.of(1).text())
    }

    @Test func compressionGivesItsSpaceBackToDelivery() throws {
        let disk = try SmallDisk()
        let bench = try Bench.started(
            ["rotate.size": .size(1), "rotate.compress": .string("gzip")],
            in: disk.mountPoint
        )
        try disk.mountPoint.write(noise(40_000), to: "m.log.1")
        try bench.deliver(.of(1))
        try disk.fill(leaving: 2)
        for number in UInt64(2)...4 { _ = bench.deliveryFailure(.of(number)) }
        #expect(bench.harness.host.log.contains { $0.contains("SND-FIL031") })
        #expect(!bench.directory.names.contains("m.log.gz.tmp"))
        #expect(bench.directory.names.contains { $0.hasPrefix("m.log.") && !$0.hasSuffix(".gz") })
    }

    /// Text that gzip cannot make much smaller.
    private func noise(_ count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return String((0..<count).map { _ in Character(UnicodeScalar(UInt8.random(in: 33...126, using: &generator))) })
    }
}

/// Each cause gets the class that makes the engine do the right thing.
@Suite struct FileCauseTests {
    @Test(arguments: [
        (ENOSPC, "SND-FIL010", FailureClass.resource),
        (EDQUOT, "SND-FIL011", .resource),
        (EFBIG, "SND-FIL012", .resource),
        (EMFILE, "SND-FIL013", .resource),
        (EROFS, "SND-FIL020", .unsafeStorage),
        (EIO, "SND-FIL021", .unsafeStorage),
        (EACCES, "SND-FIL003", .configuration),
        (ENOENT, "SND-FIL002", .configuration),
        (ELOOP, "SND-FIL005", .configuration),
        (ESTALE, "SND-FIL040", .transient),
    ])
    func everyErrnoHasItsCodeAndClass(_ number: Int32, _ code: String, _ failureClass: FailureClass) {
        let error = PluginError.system("write to", "/nowhere/m.log", number)
        #expect(error.code == code)
        #expect(error.failureClass == failureClass)
        #expect(error.message.hasPrefix("cannot write to '/nowhere/m.log': "))
        #expect(!error.hint.isEmpty)
    }

    @Test func everyCodeIsListedInTheDescriptor() {
        let listed = FileSink.descriptor.errors.map(\.code)
        #expect(Set(listed).isSuperset(of: FileCause.allCases.map(\.code)))
        #expect(Set(listed).count == listed.count)
    }
}
