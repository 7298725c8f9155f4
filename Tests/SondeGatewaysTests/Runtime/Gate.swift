import Glibc
import SondeDomain
import SondeGateways

/// Lets threads wait for each other: opened once, permanently.
struct Gate: Sendable {
    private let signal: CancelSignal

    init() throws {
        signal = try CancelSignal()
    }

    func open() { signal.cancel() }

    /// Waits until it is open; false after a time that only a failing test takes.
    @discardableResult
    func wait() -> Bool { Poll.waitUntilReadable(signal.descriptor) }
}
