import Foundation
import Glibc
import Synchronization

/// An HTTP receiver on loopback that follows a script: each request takes the next step, the last step repeats.
final class ScriptedReceiver: Sendable {
    enum Step: Hashable, Sendable {
        /// An answer without a body; the connection stays.
        case answer(Int, headers: [String] = [])
        /// An answer whose body is what the request said: its header fields and its body.
        case echo(Int)
        /// 200 and this body.
        case text(String)
        /// No answer, for as long as the client waits.
        case silence
        /// The connection is reset.
        case reset
        /// 200 and then a body without an end.
        case endless
    }

    /// One request and what became of it.
    struct Exchange: Sendable {
        var step: Step
        var headers: [String: String]
        /// As it came.
        var packed: [UInt8]
        /// When its first byte was there.
        var arrived: ContinuousClock.Instant
        /// When the step was about to be taken.
        var answered: ContinuousClock.Instant

        /// As the sink has written it.
        var body: [UInt8] { headers["content-encoding"] == "gzip" ? Gzip.unpacked(packed) : packed }

        /// Whether the client was told that the receiver has it.
        var isAcknowledged: Bool {
            switch step {
            case .answer(let status, _), .echo(let status): (200...299).contains(status)
            case .text: true
            case .endless: true
            case .silence, .reset: false
            }
        }
    }

    private struct State {
        var steps: [Step]
        var exchanges: [Exchange] = []
    }

    let port: UInt16
    private let listener: Int32
    private let stop: (read: Int32, write: Int32)
    private let threads = DispatchGroup()
    private let state: Mutex<State>

    private init(_ steps: [Step]) throws {
        state = Mutex(State(steps: steps))
        (listener, port) = try Loopback.listener()
        stop = try Loopback.pipe()
        detach { $0.accept() }
    }

    /// Runs `body` with a receiver that is gone when it returns.
    static func use(_ steps: [Step], _ body: (ScriptedReceiver) async throws -> Void) async throws {
        let receiver = try ScriptedReceiver(steps)
        defer { receiver.shutDown() }
        try await body(receiver)
    }

    var url: String { "http://127.0.0.1:\(port)/ingest" }

    /// Every request so far, oldest first.
    var exchanges: [Exchange] { state.withLock { $0.exchanges } }

    private func shutDown() {
        close(stop.write)
        threads.wait()
        close(stop.read)
        close(listener)
    }

    private func detach(_ body: @escaping @Sendable (ScriptedReceiver) -> Void) {
        threads.enter()
        Thread.detachNewThread { [self] in
            body(self)
            threads.leave()
        }
    }

    private func accept() {
        while Loopback.wait(for: listener, unless: stop.read) {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { continue }
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            detach { $0.serve(HTTPConnection(client, stopped: $0.stop.read)) }
        }
    }

    private func serve(_ connection: HTTPConnection) {
        defer { connection.close() }
        while connection.waitForRequest() {
            let arrived = ContinuousClock.now
            guard let (headers, body) = connection.readRequest() else { return }
            let step = takeStep(headers, body, arrived)
            switch step {
            case .answer(let status, let extra): connection.answer(status, extra)
            case .echo(let status):
                let fields = headers.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
                connection.answer(status, [], body: "\(fields)\n\(String(decoding: body, as: UTF8.self))")
            case .text(let text): connection.answer(200, [], body: text)
            case .silence: return connection.waitForHangUp()
            case .reset: return connection.reset()
            case .endless: return connection.answerWithoutEnd()
            }
        }
    }

    private func takeStep(
        _ headers: [String: String],
        _ body: [UInt8],
        _ arrived: ContinuousClock.Instant
    ) -> Step {
        state.withLock { state in
            let step = state.steps.count > 1 ? state.steps.removeFirst() : state.steps[0]
            state.exchanges.append(
                Exchange(step: step, headers: headers, packed: body, arrived: arrived, answered: .now)
            )
            return step
        }
    }
}
