import Foundation
import Synchronization
import Testing

/// A pipe whose ends are closed with it.
final class TestPipe: Sendable {
    let readEnd: FileHandle
    let writeEnd: FileHandle

    init() {
        let pipe = Pipe()
        readEnd = pipe.fileHandleForReading
        writeEnd = pipe.fileHandleForWriting
    }

    /// Everything that is in the pipe now, without waiting for more.
    func drain() throws -> String {
        var bytes: [UInt8] = []
        var polled = pollfd(fd: readEnd.fileDescriptor, events: Int16(POLLIN), revents: 0)
        while poll(&polled, 1, 0) > 0, polled.revents & Int16(POLLIN) != 0 {
            var piece = [UInt8](repeating: 0, count: 65_536)
            let count = read(readEnd.fileDescriptor, &piece, piece.count)
            try #require(count >= 0)
            guard count > 0 else { break }
            bytes += piece.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Runs a body on a thread as plugins have it: every signal blocked, so that SIGPIPE ends nothing.
func onPluginThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread {
            var all = sigset_t()
            sigfillset(&all)
            pthread_sigmask(SIG_BLOCK, &all, nil)
            continuation.resume(with: Swift.Result(catching: body))
        }
        .start()
    }
}

/// Reads everything from a pipe in its own thread, which runs independently of other tests.
final class PipeReader: Sendable {
    private let text = Mutex("")
    private let end = DispatchSemaphore(value: 0)

    /// Begins to read.
    init(_ file: FileHandle) {
        let descriptor = dup(file.fileDescriptor)
        Thread { [self] in
            let bytes = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).readDataToEndOfFile()
            text.withLock { $0 = String(decoding: bytes, as: UTF8.self) }
            end.signal()
        }
        .start()
    }

    /// What was read, once every writer has closed the pipe.
    func wait() -> String {
        end.wait()
        return text.withLock { $0 }
    }
}
