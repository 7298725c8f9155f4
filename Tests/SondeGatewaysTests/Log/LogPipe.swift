import Glibc

/// A pipe that a log writes into.
final class LogPipe {
    let writeEnd: Int32
    private let readEnd: Int32

    struct Failure: Error {}

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure() }
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// What was written since the last look, line by line.
    func lines() -> [String] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(readEnd, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes.split(separator: 0x0a).map { String(decoding: $0, as: UTF8.self) }
    }
}
