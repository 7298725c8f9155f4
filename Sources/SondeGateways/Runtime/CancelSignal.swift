internal import CLinux
internal import Glibc
public import SondeDomain

/// A descriptor that becomes permanently readable when calls into a plugin should end.
public final class CancelSignal: Sendable {
    private let event: OwnedDescriptor

    /// A signal that was not given.
    ///
    /// Throws when the system has no descriptor left.
    public init() throws(SondeError) {
        event = try OwnedDescriptor(
            eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)),
            of: "eventfd"
        )
    }

    /// The descriptor that plugins poll.
    public var descriptor: Int32 { event.raw }

    /// Gives the signal.
    public func cancel() {
        var one: UInt64 = 1
        _ = write(event.raw, &one, MemoryLayout<UInt64>.size)
    }
}
