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
    /// How often the manager hears that the agent is alive, in half the time after which it restarts one that is not, half a
    /// minute without such a time; nil: there is no manager.
    let period: Nanoseconds?

    private static let longestPeriod = Nanoseconds.seconds(30)
    private static let shortestPeriod = Nanoseconds.milliseconds(100)

    /// A notifier to the socket, and with the watchdog's time, that the environment names (sd_watchdog_enabled(3)).
    public init(environment: any EnvironmentReader) {
        address = environment.value(of: "NOTIFY_SOCKET").flatMap(Self.address)
        let isMeant = environment.value(of: "WATCHDOG_PID").map { $0 == "\(getpid())" } ?? true
        let limit = isMeant ? environment.value(of: "WATCHDOG_USEC").flatMap { Int64($0) } : nil
        // Within a day, so that nothing overflows.
        let half = limit.flatMap { $0 > 1 ? Nanoseconds(min($0, 86_400_000_000) / 2 * 1_000) : nil }
        period = address == nil ? nil : max(Self.shortestPeriod, min(half ?? Self.longestPeriod, Self.longestPeriod))
    }

    /// The agent serves signals and requests.
    public func ready() { send("READY=1") }

    /// It reads its configuration again; ``ready()`` ends that.
    public func reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=\(clock.monotonicTime.nanoseconds / 1_000)")
    }

    /// The agent's loop runs; `status` is one line for people.
    func alive(status: String) { send("WATCHDOG=1\nSTATUS=\(status)") }

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
