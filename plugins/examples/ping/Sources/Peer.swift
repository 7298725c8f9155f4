import Glibc
import SondeDomain
import SondePluginKit

/// A host that is asked, with its socket and what is known of it.
final class Peer {
    let name: String
    /// The option that names it.
    let option: String
    private(set) var descriptor: Int32 = -1
    private(set) var sent: UInt64 = 0
    private(set) var received: UInt64 = 0
    private(set) var times = LatencyHistogram()
    private let address: PeerAddress
    private var unanswered: [UInt16: MonotonicInstant] = [:]

    init(_ name: String, _ address: PeerAddress, option: String) {
        self.name = name
        self.address = address
        self.option = option
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    var isWaiting: Bool { !unanswered.isEmpty }

    /// Makes the socket: the kernel gives it an identifier of its own, and hands it the answers to that alone.
    func open() throws(PluginError) {
        guard descriptor < 0 else { return }
        // SOCK_DGRAM, SOCK_NONBLOCK, SOCK_CLOEXEC; Swift sees the enum constants as one type or another.
        descriptor = socket(address.family, 2 | 0o4000 | 0o2_000_000, address.isSixth ? 58 : 1)
        guard descriptor < 0 else { return }
        let code = errno
        throw PluginError(
            "PING-001", code == EACCES || code == EPERM ? .configuration : .resource,
            "cannot make an ICMP socket: \(String(cString: strerror(code)))",
            hint: "sysctl -w net.ipv4.ping_group_range='0 2147483647' lets every group.")
    }

    /// Sends a request; returns the number of the error when it could not be sent, which counts as lost.
    func send(_ sequence: UInt16, at now: MonotonicInstant) -> Int32? {
        sent &+= 1
        let message = EchoMessage.request(sequence, isSixth: address.isSixth)
        guard address.send(message, through: descriptor) == message.count else { return errno }
        unanswered[sequence] = now
        return nil
    }

    /// Takes what has come; returns whether an answer was among it.
    ///
    /// What is not waited for, such as a second answer, is not counted.
    func receive(at now: MonotonicInstant, timeout: Nanoseconds) -> Bool {
        var hasAnswer = false
        var bytes = [UInt8](repeating: 0, count: 256)
        while case let size = recv(descriptor, &bytes, bytes.count, 0), size > 0 {
            guard let sequence = EchoMessage.answer(bytes.prefix(size), isSixth: address.isSixth),
                let began = unanswered.removeValue(forKey: sequence)
            else { continue }
            let time = now.since(began)
            guard time <= timeout else { continue }
            received &+= 1
            times.record(nanoseconds: UInt64(clamping: time.value))
            hasAnswer = true
        }
        return hasAnswer
    }

    /// The interval is over: what has no answer now is lost.
    func forgetUnanswered() {
        unanswered.removeAll(keepingCapacity: true)
    }
}
