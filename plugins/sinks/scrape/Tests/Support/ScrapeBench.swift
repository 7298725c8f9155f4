import Foundation
import SondeDomain
import SondeFormats
import SondePluginKit
import SondeTestKit

@testable import ScrapePlugin

/// A sink that serves on a thread of its own, as the daemon lets it.
final class ScrapeBench: Sendable {
    struct NoAnswer: Error {}

    let socket: String
    private let thread: ServingThread

    /// An instance that serves at a Unix socket in `directory`, after it has taken `batches`.
    init(
        _ options: [String: FakeHost.Option] = [:], in directory: TemporaryDirectory, taking batches: [Batch] = []
    ) throws {
        socket = directory.file("scrape.sock")
        var options = options
        if options["listen"] == nil { options["listen"] = .string("unix:\(socket)") }
        let harness = try PluginHarness(sonde_plugin_scrape(), options: options)
        try harness.start()
        for batch in batches { try harness.deliver(batch) }
        thread = ServingThread(harness)
        thread.start()
    }

    deinit { thread.end() }

    /// Ends serving; what `run` came to.
    func end() -> Result<PluginHarness.Outcome, any Error>? { thread.end() }

    /// Sends bytes to the socket and returns what is answered until the connection ends.
    func exchange(_ text: String) throws -> String {
        let client = try Client(socket)
        try client.send(text)
        return client.readToEnd()
    }

    /// The answer to a request with these fields.
    func get(_ path: String, _ fields: [String] = [], method: String = "GET") throws -> HTTPAnswer {
        let head = (["\(method) \(path) HTTP/1.1", "Host: x", "Connection: close"] + fields).joined(separator: "\r\n")
        guard let answer = HTTPAnswer(try exchange(head + "\r\n\r\n")) else { throw NoAnswer() }
        return answer
    }
}

/// The head and body of an answer.
struct HTTPAnswer {
    let status: Int
    let fields: [String: String]
    let body: String

    init?(_ text: String) {
        guard let end = text.range(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
        self.status = status
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        self.fields = fields
        body = String(text[end.upperBound...])
    }
}

/// A client of a Unix socket; text is Latin-1, so that packed bodies survive.
final class Client {
    let descriptor: Int32

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw ScrapeBench.NoAnswer() }
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw ScrapeBench.NoAnswer()
        }
    }

    /// Everything until the other side closes.
    func readToEnd() -> String {
        var all: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = read(descriptor, &block, block.count), count > 0 { all += block.prefix(count) }
        return String(bytes: all, encoding: .isoLatin1) ?? ""
    }
}

// Unchecked: the harness is used by the thread alone until it has ended, and by `end` after that.
private final class ServingThread: @unchecked Sendable {
    private let harness: PluginHarness
    private var result: Result<PluginHarness.Outcome, any Error>?
    private let done = DispatchSemaphore(value: 0)

    init(_ harness: PluginHarness) {
        self.harness = harness
    }

    func start() {
        Thread.detachNewThread { [self] in
            result = Result { try harness.run() }
            done.signal()
        }
    }

    @discardableResult
    func end() -> Result<PluginHarness.Outcome, any Error>? {
        guard result == nil else { return result }
        harness.cancel()
        done.wait()
        return result
    }
}

extension Batch {
    /// A batch with a gauge, a counter in bytes and what is given.
    static func sample(_ more: [(Series, SampleValue)] = [], bytes: UInt64 = 41) -> Batch {
        let io = Series(
            id: SeriesID(rawValue: 1), source: "kernel", name: "system.network.io", kind: .counter, unit: "By",
            attributes: [Attribute("network.interface.name", "lo")], meaning: "Bytes of an interface.")
        let ratio = Series(id: SeriesID(rawValue: 2), source: "kernel", name: "test.ratio", kind: .gauge, unit: "1")
        let all = [(io, SampleValue.unsigned(bytes)), (ratio, .double(0.5))] + more
        let time = Timestamp(seconds: 1_767_225_600)
        return Batch(
            identity: BatchIdentity(agent: "a", epoch: "e", first: 1, last: UInt64(all.count)), sink: "s",
            resource: Resource(host: "h"), series: all.map(\.0),
            entries: all.enumerated().map { index, pair in
                Entry(seriesIndex: index, point: MetricPoint(series: pair.0.id, time: time, value: pair.1))
            })
    }
}
