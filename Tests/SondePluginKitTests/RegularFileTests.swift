import Glibc
import SondePluginKit
import SondeTestKit
import Testing

@Suite struct RegularFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func fault(_ path: String, limit: Int = 4 << 10) -> String? {
        do throws(RegularFile.Fault) {
            _ = try RegularFile(path).bytes(limit: limit)
            return nil
        } catch {
            return error.text
        }
    }

    @Test func aFileIsReadUpToItsLimit() throws {
        let path = try directory.write("secret", String(repeating: "s", count: 4 << 10))
        #expect(try RegularFile(path).bytes(limit: 4 << 10).count == 4 << 10)
        #expect(fault(path, limit: (4 << 10) - 1) == "longer than 3 KiB")
    }

    @Test func nothingButARegularFileIsRead() {
        let pipe = directory.file("pipe")
        mkfifo(pipe, 0o600)
        #expect(fault(pipe) == "not a regular file")
        #expect(fault(directory.path) == "not a regular file")
        #expect(fault("/dev/zero") == "not a regular file")
    }

    @Test func aPathThatNamesNoFileIsRefused() {
        #expect(fault(directory.file("none")) == "No such file or directory")
        #expect(fault("/etc/hostname\0.pem") == "has a NUL byte")
    }
}
