import Glibc
import SondeGateways
import Synchronization

/// Signals that a test gives, from any thread.
final class FakeSignalSource: SignalSource, Sendable {
    private let ends: (read: Int32, write: Int32)

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure() }
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        self.ends = (ends[0], ends[1])
    }

    deinit {
        close(ends.read)
        close(ends.write)
    }

    struct Failure: Error {}

    var descriptor: Int32 { ends.read }

    func give(_ signal: Int32) {
        var byte = UInt8(truncatingIfNeeded: signal)
        _ = write(ends.write, &byte, 1)
    }

    func next() -> Int32? {
        var byte: UInt8 = 0
        return read(ends.read, &byte, 1) == 1 ? Int32(byte) : nil
    }
}
