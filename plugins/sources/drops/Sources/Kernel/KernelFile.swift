internal import Glibc

/// A small text of the kernel.
enum KernelFile {
    private static let bound = 65_536

    /// The whole text, at most 64 KiB of it.
    static func read(_ path: String) throws(SystemRefusal) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemRefusal(.read, errno) }
        defer { close(descriptor) }
        return try read(descriptor)
    }

    /// The whole text of an open file, from its beginning.
    static func read(_ descriptor: Int32) throws(SystemRefusal) -> [UInt8] {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw SystemRefusal(.read, errno) }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while text.count < bound {
            let count = piece.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw SystemRefusal(.read, errno) }
            guard count > 0 else { break }
            text.append(contentsOf: piece.prefix(count))
        }
        return text
    }

    /// A text that is not there is empty.
    static func text(_ path: String) -> String {
        guard let bytes = try? read(path) else { return "" }
        return bytes[...].trimmedLine.text
    }
}

/// A call that the kernel refused.
struct SystemRefusal: Error, Hashable {
    /// What was asked for.
    enum Call: Hashable {
        case read
        case createMap
        case loadProgram
        case openEvent
        case attach
    }

    var call: Call
    /// The number of the reason, errno.
    var number: Int32
    /// What the kernel's verifier had to say.
    var log = ""

    init(_ call: Call, _ number: Int32, log: String = "") {
        self.call = call
        self.number = number
        self.log = log
    }

    var reason: String { String(cString: strerror(number)) }
}

extension ArraySlice<UInt8> {
    /// The first line, without what blanks there are around it.
    var trimmedLine: ArraySlice<UInt8> { prefix { $0 != UInt8(ascii: "\n") }.trimmed }
}
