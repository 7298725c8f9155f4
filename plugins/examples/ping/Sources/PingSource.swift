public import CSondePlugin
import Glibc
import SondeDomain
import SondePluginKit

/// Sends echo requests to hosts at every interval, and counts the answers and how long they take.
final class PingSource: Source {
    private let host: PluginHost
    private let peers: [Peer]
    private let count: Int
    private let spacing: Nanoseconds
    private let timeout: Nanoseconds
    private var samples = SampleBuffer()
    private var next: UInt16 = 0
    private var isStarted = false

    init(host: PluginHost) throws(PluginError) {
        self.host = host
        count = Int(host.options.integer("count") ?? 3)
        spacing = host.options.duration("spacing") ?? .milliseconds(200)
        timeout = host.options.duration("timeout") ?? .seconds(1)
        var peers: [Peer] = []
        for (index, text) in host.options.list("hosts").enumerated() {
            let path = "hosts[\(index)]"
            guard let address = PeerAddress(text) else {
                throw PluginError("PING-002", .configuration, "'\(text)' is no address", optionPath: path)
            }
            guard !peers.contains(where: { $0.name == text }) else {
                throw PluginError("PING-002", .configuration, "'\(text)' is there twice", optionPath: path)
            }
            peers.append(Peer(text, address, option: path))
        }
        guard (1...64).contains(peers.count) else {
            throw PluginError(
                "PING-002", .configuration, "there are \(peers.count) hosts, not 1 to 64", optionPath: "hosts")
        }
        self.peers = peers
    }

    func start() throws(PluginError) {
        guard !isStarted else { return }
        for peer in peers { try peer.open() }
        isStarted = true
    }

    func collect(_ call: PluginCall) throws(PluginError) {
        for probe in 0..<count {
            send()
            let isLast = probe == count - 1
            let end = host.monotonicTime.advanced(by: isLast ? timeout : spacing)
            guard try receive(until: min(end, call.deadline), orAllAnswered: isLast, call) else { break }
        }
        commit()
    }

    private func send() {
        next &+= 1
        for peer in peers {
            let now = host.monotonicTime
            if let code = peer.send(next, at: now) {
                let reason = String(cString: strerror(code))
                host.reportTrouble(
                    PluginError(
                        "PING-003", .transient, "cannot send to \(peer.name): \(reason)", optionPath: peer.option))
            }
        }
    }

    /// Takes answers until then; false when the call is cancelled.
    private func receive(
        until end: MonotonicInstant, orAllAnswered canEnd: Bool, _ call: PluginCall
    ) throws(PluginError) -> Bool {
        var files = peers.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        files.append(pollfd(fd: call.cancelDescriptor, events: Int16(POLLIN), revents: 0))
        while !canEnd || peers.contains(where: \.isWaiting) {
            let left = end.since(host.monotonicTime)
            guard left > .zero else { return true }
            // Rounded up, so that the last millisecond is not polled again and again.
            let milliseconds = Int32(clamping: (left.value + 999_999) / 1_000_000)
            guard poll(&files, nfds_t(files.count), milliseconds) >= 0 || errno == EINTR else {
                throw PluginError("PING-001", .resource, "poll: \(String(cString: strerror(errno)))")
            }
            let now = host.monotonicTime
            for (file, peer) in zip(files, peers) where file.revents != 0 {
                if peer.receive(at: now, timeout: timeout) {
                    host.clearTrouble("PING-003", optionPath: peer.option)
                }
            }
            if let last = files.last, last.revents != 0 { return false }
        }
        return true
    }

    private func commit() {
        samples.removeAll()
        for peer in peers {
            peer.forgetUnanswered()
            let attributes = [Attribute("network.peer.address", peer.name)]
            let (sent, received) = (
                host.openSeries(Self.sent, attributes), host.openSeries(Self.received, attributes)
            )
            samples.append(sent, peer.sent)
            samples.append(received, peer.received)
            guard let times = peer.times.snapshot else { continue }
            samples.append(host.openSeries(Self.roundTrip, attributes), times)
        }
        _ = host.commit(samples)
    }
}

/// What the agent calls first: the name ends in the plugin's.
@c(sonde_plugin_ping)
public func pingPlugin() -> UnsafePointer<sonde_plugin> { exportPlugin(PingSource.self) }
