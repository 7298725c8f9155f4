import Glibc
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

@Suite struct PosixFileTests {
    @Test func theLockEndsWithTheFileAlsoWhereAChildThatStartsHasTheDescriptor() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/lock"
        var file = try #require(try PosixFileSystem().open(path, .openOrCreate) as? PosixFile)
        try file.lock()
        // What fork(2) does to it until the child's exec.
        let inherited = dup(file.descriptorForCrashes)
        defer { close(inherited) }
        let second = try #require(try PosixFileSystem().open(path, .openOrCreate) as? PosixFile)
        #expect(throws: FileSystemError.self) { try second.lock() }
        file = second
        try file.lock()
    }
}
