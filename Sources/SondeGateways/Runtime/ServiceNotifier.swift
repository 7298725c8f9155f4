internal import CLinux
internal import Glibc
internal import SondeDomain
public import SondeEngine

/// Reports the agent's state to the service manager, sd_notify(3); does nothing where there is none.
///
/// May be called from any thread.
public struct ServiceNotifier: Sendable {
    private let address: UnixAddress?
    private let clock = SystemClock()

    /// A notifier to the socket that the environment names.
    public init(environment: any EnvironmentReader) {
        address = environment.value(of: "NOTIFY_SOCKET").flatMap(Self.address)
    }

    /// The agent serves signals and requests.
    public func ready() { send("READY=1") }

    /// It reads its configuration again; ``ready()`` ends that.
    public func reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=\(clock.monotonicTime.nanoseconds / 1_000)")
    }

    /// It is stopping.
    public func stopping() { send("STOPPING=1") }

    private static func address(_ path: String) -> UnixAddress? {
        path.hasPrefix("@") ? UnixAddress(abstract: String(path.dropFirst())) : UnixAddress(path: path)
    }

    private func send(_ text: String) {
        guard let address else { return }
        let descriptor = sonde_unix_datagram_socket()
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        // A manager that does not read must not block the agent.
        _ = address.withPointer { pointer, length in
            Int32(clamping: sendto(descriptor, bytes, bytes.count, sonde_dont_wait | sonde_no_signal, pointer, length))
        }
    }
}
