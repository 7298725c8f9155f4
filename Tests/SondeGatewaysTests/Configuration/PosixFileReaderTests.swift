import Foundation
import SondeEngine
import SondeGateways
import Testing

@Suite struct PosixFileReaderTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "sonde-files-\(UUID().uuidString)")
        .path

    private func withFile(_ name: String, _ body: (String) throws -> Void) throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try body("\(directory)/\(name)")
    }

    @Test func fileIsReadWithItsPermissions() throws {
        try withFile("a") { path in
            #expect(FileManager.default.createFile(atPath: path, contents: Data("text".utf8)))
            #expect(chmod(path, 0o640) == 0)
            let contents = try PosixFileReader().read(path, limit: 4)
            #expect(contents == FileContents(bytes: Array("text".utf8), permissions: 0o640, owner: geteuid()))
        }
    }

    @Test func largeFileIsRefusedWithoutBeingRead() throws {
        try withFile("large") { path in
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            #expect(truncate(path, 50 << 20) == 0)
            #expect(throws: FileReadFailure.tooLarge(limit: 1 << 20)) {
                try PosixFileReader().read(path, limit: 1 << 20)
            }
        }
    }

    @Test func fileWhoseSizeIsNotToldIsReadUpToTheLimit() throws {
        let contents = try PosixFileReader().read("/proc/self/status", limit: 1 << 20)
        #expect(!contents.bytes.isEmpty)
        #expect(throws: FileReadFailure.tooLarge(limit: 16)) {
            try PosixFileReader().read("/proc/self/status", limit: 16)
        }
    }

    @Test func pipeWithoutWriterDoesNotBlock() throws {
        try withFile("pipe") { path in
            #expect(mkfifo(path, 0o600) == 0)
            #expect(throws: FileReadFailure.notRegular) { try PosixFileReader().read(path, limit: 10) }
        }
    }

    @Test func directoryIsNoFile() throws {
        try withFile("") { path in
            #expect(throws: FileReadFailure.notRegular) { try PosixFileReader().read(path, limit: 10) }
        }
    }

    @Test func deviceIsNoFile() {
        #expect(throws: FileReadFailure.notRegular) { try PosixFileReader().read("/dev/zero", limit: 10) }
    }

    @Test func missingFileAndDirectoryAreToldApartFromOthers() throws {
        try withFile("none") { path in
            #expect(throws: FileReadFailure.notFound) { try PosixFileReader().read(path, limit: 10) }
            let contents = try PosixFileReader().directory(path, limit: 10)
            #expect(contents == nil)
        }
    }

    @Test func namesOfADirectoryAreListed() throws {
        try withFile("a.yaml") { path in
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            let contents = try PosixFileReader().directory(directory, limit: 1)
            #expect(contents == DirectoryContents(names: ["a.yaml"], owner: geteuid()))
            #expect(throws: FileReadFailure.tooManyEntries(limit: 0)) {
                try PosixFileReader().directory(directory, limit: 0)
            }
            #expect(throws: FileReadFailure.notDirectory) { try PosixFileReader().directory(path, limit: 1) }
        }
    }
}
