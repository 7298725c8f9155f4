import Foundation
import Glibc
import HTTPPlugin
import SondeDomain
import SondePluginKit
import SondeTestKit
import Synchronization

/// The sink behind its contract, with threads like the daemon's.
struct SinkDriver {
    let harness: PluginHarness

    /// An instance that is started.
    init(_ url: String, _ options: [String: FakeHost.Option] = [:]) throws {
        harness = try Self.create(url, options)
        try harness.start()
    }

    /// Makes an instance and nothing more.
    static func create(_ url: String, _ options: [String: FakeHost.Option] = [:]) throws -> PluginHarness {
        var options = options
        options["url"] = .string(url)
        return try PluginHarness(sonde_plugin_http(), id: "central", options: options)
    }

    /// Delivers on a thread that blocks every signal, as the contract promises to plugins.
    @discardableResult
    func deliver(
        _ batch: Batch = .sample(), timeout: Nanoseconds = .seconds(20), isFinal: Bool = false
    ) throws -> PluginHarness.Outcome {
        try onPluginThread { try harness.deliver(batch, timeout: timeout, isFinal: isFinal) }
    }

    /// The error of a delivery that must fail.
    func failure(_ batch: Batch = .sample(), timeout: Nanoseconds = .seconds(20)) throws -> PluginError {
        do {
            let outcome = try deliver(batch, timeout: timeout)
            throw UnexpectedSuccess(outcome: outcome)
        } catch let error as PluginError {
            return error
        }
    }

    struct UnexpectedSuccess: Error {
        let outcome: PluginHarness.Outcome
    }
}

/// Runs `body` on its own thread that blocks every signal, and waits for it.
///
/// A thread that ends takes a pending SIGPIPE with it: OpenSSL writes without MSG_NOSIGNAL.
func onPluginThread<Value>(_ body: @escaping () throws -> Value) throws -> Value {
    let work = ThreadWork(body)
    let thread = Thread { work.run() }
    thread.start()
    return try work.wait()
}

// Unchecked: the one who starts the thread waits for it, so there is never more than one at work.
private final class ThreadWork<Value>: @unchecked Sendable {
    private let body: () throws -> Value
    private var result: Result<Value, any Error>?
    private let done = DispatchSemaphore(value: 0)

    init(_ body: @escaping () throws -> Value) {
        self.body = body
    }

    func run() {
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        result = Result { try body() }
        done.signal()
    }

    func wait() throws -> Value {
        done.wait()
        guard let result else { throw Loopback.Failure(call: "thread") }
        return try result.get()
    }
}
