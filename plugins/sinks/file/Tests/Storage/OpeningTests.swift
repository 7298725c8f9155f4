import Foundation
import Glibc
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

/// What can be at the path when the sink starts.
@Suite struct OpeningTests {
    @Test func aMissingDirectoryIsAskedFor() throws {
        let bench = try Bench(file: "missing/m.log")
        let error = bench.startFailure()
        #expect(error?.code == "SND-FIL002")
        #expect(error?.failureClass == .configuration)
        #expect(error?.optionPath == "path")
        #expect(error?.hint.contains("Create the directory") == true)
        #expect(bench.directory.names.isEmpty)
    }

    @Test func deliveryBeginsWhenTheDirectoryAppears() throws {
        let bench = try Bench(file: "later/m.log")
        #expect(bench.deliveryFailure(.of(1))?.code == "SND-FIL002")
        mkdir(bench.directory.file("later"), 0o755)
        try bench.deliver(.of(1))
        #expect(bench.directory.text("later/m.log") == Batch.of(1).text())
    }

    @Test func aFileAsDirectoryIsRefused() throws {
        let directory = try TemporaryDirectory()
        try directory.write("", to: "file")
        #expect(try Bench(in: directory, file: "file/m.log").startFailure()?.code == "SND-FIL002")
    }

    @Test func aDirectoryIsRefused() throws {
        let directory = try TemporaryDirectory()
        mkdir(directory.file("m.log"), 0o755)
        expectNotRegular(try Bench(in: directory).startFailure(), "a directory")
    }

    @Test func aFIFOIsRefusedWithoutWaitingForAReader() throws {
        let directory = try TemporaryDirectory()
        mkfifo(directory.file("m.log"), 0o600)
        expectNotRegular(try Bench(in: directory).startFailure(), "a FIFO")
    }

    @Test func aFIFOWithAReaderGetsNothing() throws {
        let directory = try TemporaryDirectory()
        mkfifo(directory.file("m.log"), 0o600)
        let reader = open(directory.file("m.log"), O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        expectNotRegular(try Bench(in: directory).startFailure(), "a FIFO")
        var byte: UInt8 = 0
        #expect(read(reader, &byte, 1) <= 0)
    }

    @Test func aSocketIsRefused() throws {
        let directory = try TemporaryDirectory()
        let socket = try boundSocket(directory.file("m.log"))
        defer { close(socket) }
        expectNotRegular(try Bench(in: directory).startFailure(), "a socket")
    }

    @Test func aDeviceIsRefused() throws {
        expectNotRegular(try Bench(["path": .string("/dev/null")]).startFailure(), "a character device")
    }

    @Test func aFIFOThatReplacesTheFileLaterIsRefused() throws {
        let bench = try Bench.started()
        try bench.deliver(.of(1))
        try bench.directory.remove("m.log")
        mkfifo(bench.directory.file("m.log"), 0o600)
        expectNotRegular(bench.deliveryFailure(.of(2)), "a FIFO")
    }

    @Test func aLinkIsFollowedAndRotatesBesideItsTarget() throws {
        let directory = try TemporaryDirectory()
        mkdir(directory.file("disk"), 0o755)
        symlink("disk/real.log", directory.file("m.log"))
        let bench = try Bench.started(["rotate.size": .size(Batch.of(1).size)], in: directory)
        try bench.deliver(.of(1))
        try bench.deliver(.of(2))
        #expect(directory.text("disk/real.log.1") == Batch.of(1).text())
        #expect(directory.text("disk/real.log") == Batch.of(2).text())
        #expect(directory.names == ["disk", "m.log"])
    }

    @Test func aLinkThatIsTurnedElsewhereIsFollowedThere() throws {
        let directory = try TemporaryDirectory()
        symlink("a.log", directory.file("m.log"))
        let bench = try Bench.started(in: directory)
        try bench.deliver(.of(1))
        try directory.remove("m.log")
        symlink(directory.file("b.log"), directory.file("m.log"))
        try bench.deliver(.of(2))
        #expect(directory.text("a.log") == Batch.of(1).text())
        #expect(directory.text("b.log") == Batch.of(2).text())
    }

    @Test func aLoopOfLinksIsRefused() throws {
        let directory = try TemporaryDirectory()
        symlink("x.log", directory.file("m.log"))
        symlink("m.log", directory.file("x.log"))
        let error = try Bench(in: directory).startFailure()
        #expect(error?.code == "SND-FIL005")
        #expect(error?.failureClass == .configuration)
    }

    @Test(.enabled(if: SmallDisk.isAvailable))
    func aReadOnlyFileSystemIsUnsafeStorage() throws {
        let disk = try SmallDisk()
        #expect(disk.remountReadOnly())
        let error = try Bench(in: disk.mountPoint).startFailure()
        #expect(error?.code == "SND-FIL020")
        #expect(error?.failureClass == .unsafeStorage)
    }

    @Test(.enabled(if: OtherUser.isAvailable))
    func aFileOfSomebodyElseIsNamedWithItsModeAndOwner() throws {
        let directory = try TemporaryDirectory()
        chmod(directory.path, 0o755)
        try directory.write("", to: "m.log")
        chmod(directory.file("m.log"), 0o604)
        let bench = try Bench(in: directory)
        let error = OtherUser.run { bench.startFailure() }
        #expect(error?.code == "SND-FIL003")
        #expect(error?.failureClass == .configuration)
        #expect(error?.hint.contains("'\(directory.file("m.log"))' has mode 0604 and belongs to 0:0") == true)
    }

    @Test(.enabled(if: OtherUser.isAvailable))
    func aDirectoryOfSomebodyElseIsNamedWhenTheFileIsMissing() throws {
        let directory = try TemporaryDirectory()
        chmod(directory.path, 0o755)
        let bench = try Bench(in: directory)
        let error = OtherUser.run { bench.startFailure() }
        #expect(error?.code == "SND-FIL003")
        #expect(error?.hint.contains("'\(directory.path)' has mode 0755") == true)
    }

    private func expectNotRegular(_ error: PluginError?, _ kind: String) {
        #expect(error?.code == "SND-FIL004")
        #expect(error?.failureClass == .configuration)
        #expect(error?.message.contains(kind) == true)
    }

    private func boundSocket(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        return descriptor
    }
}
