internal import Glibc
public import SondeNetlink

/// A kernel that answers about sockets, and fails as a test demands.
///
/// Not thread-safe: one test, one thread.
public final class FakeSocketKernel: NetlinkTransport {
    /// One question as it came.
    public struct Question: Hashable, Sendable {
        /// 18: both families at once, 20: one family.
        public var type: UInt16
        /// 6: TCP, 17: UDP.
        public var transport: UInt8
        /// The states asked for.
        public var states: UInt32
    }

    /// The sockets, in the order in which a dump brings them.
    public var sockets: [FakeSocket]
    /// Whether it supports the request for both families at once.
    public var knowsOldRequest = true
    /// Whether udp_diag is there.
    public var knowsUDP = true
    /// What all questions are answered with; 0: their answers.
    public var refusal: Int32 = 0
    /// What the next questions are answered with, one after the other; 0: their answers.
    public var failures: [Int32] = []
    /// How many of the next dumps are interrupted.
    public var interruptions = 0
    /// Everything that was asked so far.
    public private(set) var questions: [Question] = []

    private static let datagramSize = 30_000
    private var waiting: [[UInt8]] = []

    /// A kernel with these sockets.
    public init(_ sockets: [FakeSocket]) {
        self.sockets = sockets
    }

    /// Takes a request and prepares the answer.
    public func send(_ request: UnsafeRawBufferPointer) throws(NetlinkError) {
        guard request.count >= 72 else { throw NetlinkError(.request, EINVAL) }
        let type = request.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        let sequence = request.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
        let isOld = type == 18
        let question = Question(
            type: type,
            transport: isOld ? 6 : request[17],
            states: request.loadUnaligned(fromByteOffset: isOld ? 68 : 20, as: UInt32.self)
        )
        questions.append(question)
        let failure = failures.isEmpty ? 0 : failures.removeFirst()
        let number = refusal != 0 ? refusal : failure != 0 ? failure : refusal(of: question)
        guard number == 0 else {
            var datagram = NetlinkBuilder()
            datagram.end(sequence: sequence, error: number)
            waiting = [datagram.bytes]
            return
        }
        let family = isOld ? nil : SocketFamily(rawValue: request[16])
        answer(question, family, details: request[isOld ? 19 : 18], sequence)
    }

    /// Hands out the next datagram of the answer.
    public func receive(into buffer: UnsafeMutableRawBufferPointer) throws(NetlinkError) -> Int {
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

    private func refusal(of question: Question) -> Int32 {
        if question.type == 18, !knowsOldRequest { return EINVAL }
        return question.transport == 17 && !knowsUDP ? ENOENT : 0
    }

    private func answer(_ question: Question, _ family: SocketFamily?, details: UInt8, _ sequence: UInt32) {
        var flags: UInt16 = 2
        var found = sockets.filter { socket in
            socket.transport == question.transport && family.map { $0 == socket.family } ?? true
                && question.states & 1 << UInt32(socket.state.rawValue) != 0
        }
        if interruptions > 0 {
            interruptions -= 1
            flags |= 0x10
            found.removeLast(min(1, found.count))
        }
        waiting = []
        var datagram = NetlinkBuilder()
        for socket in found {
            socket.append(to: &datagram, type: question.type, flags: flags, sequence: sequence, details: details)
            guard datagram.bytes.count > Self.datagramSize else { continue }
            waiting.append(datagram.bytes)
            datagram = NetlinkBuilder()
        }
        datagram.message(3, flags: flags, sequence: sequence, fixed: [0, 0, 0, 0])
        waiting.append(datagram.bytes)
    }
}
