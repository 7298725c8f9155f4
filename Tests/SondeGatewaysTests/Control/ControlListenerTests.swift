import Glibc
import SondeDomain
import Testing

@testable import SondeGateways

@Suite struct ControlListenerTests {
    private let folder = SocketFolder()

    private func code(_ path: String) -> ErrorCode? {
        do throws(SondeError) {
            _ = try ControlListener(path: path)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func theSocketIsForItsOwnerAlone() throws {
        let listener = try ControlListener(path: folder.socket)
        #expect(SocketFolder.mode(folder.socket) == S_IFSOCK | 0o600)
        listener.removeFile()
    }

    @Test func aMissingDirectoryIsMadeForItsOwnerAlone() throws {
        let listener = try ControlListener(path: "\(folder.path)/run/s.sock")
        #expect(SocketFolder.mode("\(folder.path)/run") == S_IFDIR | 0o700)
        listener.removeFile()
        #expect(SocketFolder.mode("\(folder.path)/run/s.sock") == nil)
    }

    @Test func theSocketOfADeadAgentIsReplaced() throws {
        try folder.leaveDeadSocket()
        let listener = try ControlListener(path: folder.socket)
        _ = try SocketClient(folder.socket)
        listener.removeFile()
    }

    @Test func theSocketOfALivingAgentIsNot() throws {
        let first = try ControlListener(path: folder.socket)
        #expect(code(folder.socket) == .controlSocketInUse)
        _ = try SocketClient(folder.socket)
        first.removeFile()
    }

    @Test func aFileThatIsNoSocketStaysAsItIs() throws {
        let descriptor = open(folder.socket, O_CREAT | O_WRONLY, 0o640)
        close(descriptor)
        #expect(code(folder.socket) == .controlSocketUnavailable)
        #expect(SocketFolder.mode(folder.socket) == S_IFREG | 0o640)
    }

    @Test func aSymbolicLinkIsNotFollowed() throws {
        try folder.leaveDeadSocket()
        let link = "\(folder.path)/link.sock"
        symlink(folder.socket, link)
        #expect(code(link) == .controlSocketUnavailable)
        #expect(SocketFolder.mode(link).map { $0 & S_IFMT } == S_IFLNK)
    }

    @Test func theFileOfAnotherAgentIsLeftAtTheStop() throws {
        let listener = try ControlListener(path: folder.socket)
        unlink(folder.socket)
        let other = try ControlListener(path: folder.socket)
        listener.removeFile()
        #expect(SocketFolder.mode(folder.socket) != nil)
        other.removeFile()
    }

    @Test func aPathThatIsTooLongIsAFailureOfItsOwn() {
        let longest = folder.path + "/" + String(repeating: "a", count: 107 - folder.path.utf8.count - 1)
        #expect(code(longest) == nil)
        #expect(code(longest + "a") == .controlPathTooLong)
    }

    @Test(arguments: ["", "/nonexistent/a/s.sock", "/proc/s.sock", "a\u{0}b"])
    func aPathThatCannotBeIsAFailure(_ path: String) {
        #expect(code(path) == .controlSocketUnavailable)
    }
}
