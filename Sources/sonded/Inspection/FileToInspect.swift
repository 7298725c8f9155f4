internal import Glibc
internal import SondeDomain
internal import SondeEngine

/// A file that is opened; its beginning is in memory once it was read.
final class FileToInspect {
    /// What plugins need to decide; more is read when it is available at once.
    private static let leastHead = 4 << 10
    private static let mostHead = 64 << 10

    /// The read position in the file, and its length; nil for what has no length, such as a pipe.
    let descriptor: Int32
    let length: Int64?
    private let path: String
    private var head: [UInt8] = []

    /// Opens the file, `-` for standard input; waits for a FIFO's writer.
    ///
    /// Throws `SND-INS002`.
    init(_ path: String) throws(SondeError) {
        let isInput = path == "-"
        self.path = isInput ? "standard input" : path
        let descriptor = isInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw Self.unreadable(self.path, errno) }
        var status = stat()
        let isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        length = isRegular ? Int64(status.st_size) : nil
        self.descriptor = descriptor
    }

    /// Reads its beginning.
    ///
    /// Throws `SND-INS002`.
    func readHead() throws(SondeError) { head = try Self.readHead(descriptor, path) }

    /// The file as plugins see it.
    func content(format: String) -> InspectedFile {
        InspectedFile(descriptor: descriptor, head: head, path: path, format: format)
    }

    /// No plugin takes it.
    func unsuited(_ answers: [String]) -> SondeError {
        let what = head.isEmpty ? "\(path) is empty" : "\(path) is of no kind that an installed plugin reads"
        let reasons = answers.isEmpty ? "no plugin reads files" : answers.joined(separator: "; ")
        return SondeError(
            .inspectionUnsuited,
            stage: .inspect,
            class: .corruptInput,
            message: "\(what) (\(reasons))",
            recovery: [.advise("name a capture file, or install the plugin that reads this kind")]
        )
    }

    private static func readHead(_ descriptor: Int32, _ path: String) throws(SondeError) -> [UInt8] {
        var head = [UInt8](repeating: 0, count: mostHead)
        var count = 0
        while count < leastHead {
            let taken = head.withUnsafeMutableBytes { bytes in
                read(descriptor, bytes.baseAddress.map { $0 + count }, bytes.count - count)
            }
            if taken == 0 { break }
            guard taken > 0 else {
                if errno == EINTR { continue }
                throw unreadable(path, errno)
            }
            count += taken
        }
        head.removeLast(head.count - count)
        return head
    }

    private static func unreadable(_ path: String, _ number: Int32) -> SondeError {
        SondeError(
            .inspectionUnreadable,
            stage: .inspect,
            class: number == EACCES || number == EPERM ? .accessRefused : .configuration,
            message: "\(path) cannot be read: \(String(cString: strerror(number)))",
            recovery: [.advise("correct the path, or make the file readable")]
        )
    }
}
