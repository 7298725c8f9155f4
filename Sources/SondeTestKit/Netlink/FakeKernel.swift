internal import Glibc
internal import SondeDomain
public import SondeNetlink

/// A kernel that answers about links, their counts and the default route, and fails as a test demands.
///
/// Not thread-safe: one test, one thread.
public final class FakeKernel: NetlinkTransport {
    /// How the answer to the next request fails.
    public enum Failure {
        /// The kernel answers with this `errno`.
        case answer(Int32)
        /// The dump is interrupted: it lacks its last entry and is marked so.
        case interrupted
        /// Receiving fails with this `errno`.
        case receive(Int32)
        /// Sending fails with this `errno`.
        case send(Int32)
    }

    /// The devices, in the order in which a dump brings them.
    public var links: [FakeLink]
    /// The device of the default route.
    public var defaultRoute: Int32?
    /// How the next answers fail, in their order; an answer without one works.
    public var failures: [Failure] = []
    /// The types of all requests so far.
    public private(set) var requests: [UInt16] = []

    private static let datagramSize = 30_000
    private var waiting: [[UInt8]] = []
    private var receiveFailure: Int32?

    /// A kernel with these devices.
    public init(_ links: [FakeLink]) {
        self.links = links
    }

    /// How many requests of a type there were since the last question.
    public func takeRequests(_ type: UInt16) -> Int {
        defer { requests.removeAll { $0 == type } }
        return requests.count { $0 == type }
    }

    /// Takes a request and prepares the answer.
    public func send(_ request: UnsafeRawBufferPointer) throws(NetlinkError) {
        guard request.count >= 28 else { throw NetlinkError(.request, EINVAL) }
        let type = request.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        let isDump = request.loadUnaligned(fromByteOffset: 6, as: UInt16.self) & 0x300 != 0
        let sequence = request.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
        requests.append(type)
        let failure = failures.isEmpty ? nil : failures.removeFirst()
        switch failure {
        case .send(let number): throw NetlinkError(.request, number)
        case .receive(let number): receiveFailure = number
        case .answer(let number): waiting = [Self.end(sequence, error: number)]
        case .interrupted: answer(type, isDump, sequence, request, links.dropLast(), flags: 2 | 0x10)
        case nil: answer(type, isDump, sequence, request, links[...], flags: 2)
        }
    }

    /// Hands out the next datagram of the answer.
    public func receive(into buffer: UnsafeMutableRawBufferPointer) throws(NetlinkError) -> Int {
        if let number = receiveFailure {
            receiveFailure = nil
            throw NetlinkError(.answer, number)
        }
        guard !waiting.isEmpty else { throw NetlinkError(.answer, ETIMEDOUT) }
        let datagram = waiting.removeFirst()
        guard datagram.count <= buffer.count else { throw NetlinkError(.answer, EMSGSIZE) }
        buffer.copyBytes(from: datagram)
        return datagram.count
    }

    /// Forgets the rest of an answer.
    public func discardWaiting() {
        waiting = []
    }

    private func answer(
        _ type: UInt16,
        _ isDump: Bool,
        _ sequence: UInt32,
        _ request: UnsafeRawBufferPointer,
        _ links: ArraySlice<FakeLink>,
        flags: UInt16
    ) {
        switch (type, isDump) {
        case (18, true): dump(links, sequence) { $0.appendLink(to: &$1, flags: flags, sequence: sequence) }
        case (94, true): dump(links, sequence) { $0.appendCounters(to: &$1, flags: flags, sequence: sequence) }
        case (94, false):
            let index = request.loadUnaligned(fromByteOffset: 20, as: Int32.self)
            var datagram = NetlinkBuilder()
            if let link = links.first(where: { $0.link.index == index }) {
                link.appendCounters(to: &datagram, flags: 0, sequence: sequence)
            } else {
                datagram.end(sequence: sequence, error: ENODEV)
            }
            waiting = [datagram.bytes]
        case (18, false):
            let index = request.loadUnaligned(fromByteOffset: 20, as: Int32.self)
            var datagram = NetlinkBuilder()
            if let link = links.first(where: { $0.link.index == index }) {
                link.appendFunctions(to: &datagram, sequence: sequence)
            } else {
                datagram.end(sequence: sequence, error: ENODEV)
            }
            waiting = [datagram.bytes]
        case (26, false): waiting = [route(sequence)]
        default: waiting = [Self.end(sequence, error: EOPNOTSUPP)]
        }
    }

    private func dump(
        _ links: ArraySlice<FakeLink>,
        _ sequence: UInt32,
        _ append: (FakeLink, inout NetlinkBuilder) -> Void
    ) {
        waiting = []
        var datagram = NetlinkBuilder()
        for link in links {
            append(link, &datagram)
            guard datagram.bytes.count > Self.datagramSize else { continue }
            waiting.append(datagram.bytes)
            datagram = NetlinkBuilder()
        }
        datagram.end(sequence: sequence)
        waiting.append(datagram.bytes)
    }

    private func route(_ sequence: UInt32) -> [UInt8] {
        guard let defaultRoute else { return Self.end(sequence, error: ENETUNREACH) }
        var datagram = NetlinkBuilder()
        datagram.message(24, flags: 0, sequence: sequence, fixed: [UInt8](repeating: 0, count: 12)) {
            $0.attribute(4, number: defaultRoute)
        }
        return datagram.bytes
    }

    private static func end(_ sequence: UInt32, error: Int32) -> [UInt8] {
        var datagram = NetlinkBuilder()
        datagram.end(sequence: sequence, error: error)
        return datagram.bytes
    }
}
