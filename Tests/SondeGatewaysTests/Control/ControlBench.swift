import Dispatch
import Foundation
import SondeDomain
import SondeEngine
import SondeFormats
import SondeGateways
import Synchronization

/// A control server on a loop in a separate thread.
final class ControlBench {
    /// Changes something.
    final class ChangeHandler: ControlHandler {
        let request = "change"
        let permission = ControlPermission.change

        func answer(_ arguments: JSONValue) throws(SondeError) -> ControlAnswer {
            ControlAnswer("change") { $0.value("done") }
        }
    }

    /// Answers a long text and counts how often it was asked.
    final class LongHandler: ControlHandler {
        let request = "long"
        let permission = ControlPermission.read
        private let calls: CallCount

        init(_ calls: CallCount) {
            self.calls = calls
        }

        func answer(_ arguments: JSONValue) throws(SondeError) -> ControlAnswer {
            let number = calls.add()
            return ControlAnswer("long") { $0.value("\(number) " + String(repeating: "x", count: 1 << 20)) }
        }
    }

    /// Answers when it is released.
    final class SlowHandler: SlowControlHandler {
        let request = "slow"
        let permission = ControlPermission.read
        private let gate: DispatchSemaphore

        init(_ gate: DispatchSemaphore) {
            self.gate = gate
        }

        func answer(_ arguments: JSONValue) throws(SondeError) -> ControlAnswer {
            gate.wait()
            return ControlAnswer("slow") { $0.value("done") }
        }
    }

    /// Answers what the socket has done.
    final class CountsHandler: ControlHandler {
        let request = "counts"
        let permission = ControlPermission.read
        private let counts: ControlCounts

        init(_ counts: ControlCounts) {
            self.counts = counts
        }

        func answer(_ arguments: JSONValue) throws(SondeError) -> ControlAnswer {
            let counts = counts
            return ControlAnswer("counts") { $0.value(counts) }
        }
    }

    final class CallCount: Sendable {
        private let count = Mutex(0)

        var value: Int { count.withLock { $0 } }

        func add() -> Int {
            count.withLock {
                $0 += 1
                return $0
            }
        }
    }

    /// Keeps the lines of the log.
    final class Log: EventLog {
        private let errors = Mutex<[SondeError]>([])

        var codes: [ErrorCode] { errors.withLock { $0.map(\.code) } }

        func log(_ level: LogLevel, _ message: String, component: String?) {}

        func log(_ level: LogLevel, _ error: SondeError) {
            errors.withLock { $0.append(error) }
        }
    }

    let folder: SocketFolder
    let log = Log()
    let longCalls = CallCount()
    /// Lets one slow answer go.
    let gate = DispatchSemaphore(value: 0)
    private let stopSignal: CancelSignal
    private let thread: PluginThread

    init(
        in folder: SocketFolder = SocketFolder(),
        limits: ControlServer.Limits = ControlServer.Limits(),
        group: String? = nil,
        isAllowed: @escaping @Sendable (UInt32) -> Bool = ControlServer.isRootOrOwnUser,
        handlers: [any SlowControlHandler] = [],
        feeds: @escaping @Sendable (ControlCounts) -> [any ControlFeed] = { _ in [] }
    ) throws {
        self.folder = folder
        let (path, log, calls, started) = (folder.socket, log, longCalls, DispatchSemaphore(value: 0))
        let gate = gate
        let signal = try CancelSignal()
        stopSignal = signal
        thread = try PluginThread(name: "control") {
            defer { started.signal() }
            guard let loop = try? EventLoop() else { return }
            try? loop.watch(signal.descriptor) { loop.stop() }
            let counts = ControlCounts()
            let own: [any ControlHandler] = [
                PingHandler(), VersionHandler(version: "1.2.3"), LongHandler(calls), SlowHandler(gate),
                CountsHandler(counts), ChangeHandler(),
            ]
            let server = ControlServer(
                path: path,
                group: group,
                handlers: own + handlers.map { $0 as any ControlHandler },
                feeds: feeds(counts),
                counts: counts,
                limits: limits,
                isAllowed: isAllowed,
                clock: SystemClock(),
                log: log
            )
            server.start(on: loop)
            started.signal()
            loop.run()
            server.stop()
        }
        started.wait()
    }

    deinit {
        stop()
    }

    var path: String { folder.socket }

    /// What the socket has done.
    func counts() throws -> JSONValue {
        try ControlClient(path: path).ask("counts", for: "counts")
    }

    /// Waits until what the socket has done is as expected.
    func wait(until isReached: (JSONValue) -> Bool) throws {
        let end = SystemClock().monotonicTime.advanced(by: .seconds(20))
        while !isReached(try counts()) {
            guard SystemClock().monotonicTime < end else { throw SocketClient.Failure(call: "wait", code: ETIMEDOUT) }
            usleep(5_000)
        }
    }

    func client() throws -> SocketClient {
        try SocketClient(path)
    }

    /// Ends the loop and waits until the server has stopped.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        stopSignal.cancel()
        thread.join()
    }

    private var isStopped = false
}
