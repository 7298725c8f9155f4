internal import Glibc
public import SondeDomain

/// A descriptor that is closed with its last reference.
public final class OwnedDescriptor: Sendable {
    /// The number; valid for the life of this object.
    public let raw: Int32

    /// Takes over `raw`, or throws errno when the call that made it failed.
    public init(_ raw: Int32, of call: String) throws(SondeError) {
        guard raw >= 0 else { throw SystemCall.failure(call, errno) }
        self.raw = raw
    }

    deinit {
        close(raw)
    }
}

/// Converts errno to a failure.
enum SystemCall {
    /// The failure of a system call that the runtime cannot do without.
    static func failure(_ call: String, _ code: Int32) -> SondeError {
        SondeError(
            .systemCallFailed,
            stage: .start,
            class: .resource,
            message: "\(call) failed: \(String(cString: strerror(code)))",
            recovery: [.advise("Look at the limits of the service on open files, tasks and memory.")]
        )
    }
}
