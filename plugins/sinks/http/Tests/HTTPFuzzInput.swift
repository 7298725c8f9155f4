import Glibc
import SondeDomain
import SondeFormats
import SondePluginKit
import SondeTestKit
import Synchronization

@testable import HTTPPlugin

/// How the fuzzer's bytes become answers of a server: one that selects format and test, then the answers, which the byte 255
/// separates.
enum HTTPFuzzInput {
    private static let secret = "open-sesame-1"
    // Beyond what a message shows of a receiver's reason, address and body.
    private static let longestMessage = 8 << 10

    /// The invariants that what the sink makes of them breaks.
    static func brokenInvariants(_ input: UnsafeRawBufferPointer) -> [String] {
        guard let first = input.first else { return [] }
        let answers = input.dropFirst().split(separator: 0xff, omittingEmptySubsequences: false).map { [UInt8]($0) }
        let profile = Profile.all[Int(first & 3)]
        return switch first >> 2 & 3 {
        case 0: delivery(answers, profile, ["auth.bearer": .string(secret)])
        case 1: delivery(answers, profile, oauth2)
        default: brokenRules(of: answers, profile)
        }
    }

    // MARK: Over a socket

    private static let oauth2: [String: FakeHost.Option] = [
        "auth.oauth2.token_url": .string(server.url), "auth.oauth2.client_id": .string("sonde"),
        "auth.oauth2.client_secret": .string(secret),
    ]

    /// Delivers two batches to a server that answers with these.
    private static func delivery(
        _ answers: [[UInt8]], _ profile: Profile, _ options: [String: FakeHost.Option]
    ) -> [String] {
        server.answer(with: answers)
        var options = options
        options["url"] = .string(server.url)
        options["format"] = .string(profile.format)
        options["timeout"] = .duration(.seconds(5))
        guard let harness = try? PluginHarness(plugin, id: "central", options: options),
            (try? harness.start()) != nil
        else { return ["the sink starts"] }
        var broken: [String] = []
        for _ in 0..<2 {
            do {
                try harness.deliver(batch)
                let delivery = harness.delivery
                if delivery.rejectedPoints > batch.entries.count { broken.append("more is refused than was sent") }
                broken += brokenRules(of: delivery.message)
            } catch let error as PluginError {
                broken += brokenRules(of: error.message)
                if !(.zero...RetryAfter.longest).contains(error.retryAfter ?? .zero) { broken.append("a long wait") }
                // What ends a call of five seconds early is the server's answer.
                if error.failureClass == .programmer { broken.append("the sink's own failure: \(error.message)") }
            } catch {
                broken.append("\(error)")
            }
        }
        return broken + harness.host.log.flatMap(brokenRules)
    }

    // MARK: What follows from answers

    private static func brokenRules(of answers: [[UInt8]], _ profile: Profile) -> [String] {
        let failure = DeliveryError(address: "https://h", redaction: Redaction([secret]))
        var session = profile.makeSession(ProfileSettings())
        var broken: [String] = []
        for (number, answer) in answers.enumerated() {
            var buffer = ByteBuffer()
            let report = session.encode(batch, into: &buffer)
            let transfer = transfer(answer, profile)
            var reading = session.read(transfer, of: batch, report)
            if reading == .unclear {
                let next = answers.indices.contains(number + 1) ? answers[number + 1] : []
                session.readEmpty(self.transfer(next, profile))
                reading = session.read(transfer, of: batch, report)
                if reading == .unclear { broken.append("it stays unclear") }
            }
            var rule = transfer.status.map { profile.rule(for: $0) }
            switch reading {
            case .delivered(let rejected, let reason):
                if rejected > batch.entries.count { broken.append("more is refused than was sent") }
                broken += brokenRules(of: failure.words(reason))
            case .refused(let count, let words):
                if count > batch.entries.count { broken.append("more is refused than was sent") }
                broken += brokenRules(of: words.map { failure.message(400, $0) } ?? "")
            case .judged(let other): rule = other
            case .again, .unclear, nil: break
            }
            broken += brokenRules(of: failure.message(transfer.status ?? 0, transfer))
            broken += brokenRules(
                of: profile.text(transfer.body.bytes).map { failure.words(String(decoding: $0, as: UTF8.self)) } ?? "")
            guard let status = transfer.status, let rule else { continue }
            let error = failure.forStatus(status, rule, of: transfer)
            if !(.zero...RetryAfter.longest).contains(error?.retryAfter ?? .zero) { broken.append("a long wait") }
        }
        return broken
    }

    private static func transfer(_ answer: [UInt8], _ profile: Profile) -> Transfer {
        var head = ResponseHead(keeping: profile.answer.headers)
        var rest = answer[...]
        while head.status == nil, let end = rest.firstIndex(of: 0x0a) {
            head.take(Array(rest[...end]))
            rest = rest[(end + 1)...]
        }
        return Transfer(code: 0, head: head, body: ReceivedText(rest, limit: profile.answer.bytes))
    }

    private static func brokenRules(of message: String) -> [String] {
        let scalars = message.unicodeScalars
        let rules = [
            ("a message is short", message.utf8.count <= longestMessage),
            ("a message is one line", !scalars.contains { $0.properties.generalCategory == .control }),
            ("a message has no secret", !message.utf8.hasPart(secret)),
        ]
        return rules.filter { !$0.1 }.map(\.0)
    }

    private static let batch: Batch = {
        let series = ["a", "b"].enumerated().map { number, name in
            Series(
                id: SeriesID(rawValue: UInt64(number + 1)), source: "kernel", name: "test.\(name)", kind: .gauge,
                unit: "1")
        }
        return Batch(
            identity: BatchIdentity(agent: "a", epoch: "e", first: 1, last: 2), sink: "central", series: series,
            entries: series.enumerated().map { number, series in
                .init(
                    seriesIndex: number,
                    point: MetricPoint(series: series.id, time: Timestamp(seconds: 1_767_225_600), value: .double(1)))
            })
    }()

    private static let server = AnswerServer()
    // It is made anew at each call, and never freed.
    nonisolated(unsafe) private static let plugin = sonde_plugin_http()
}

/// A server at a Unix socket: each connection gets the next answer, whatever it asks, and then the end.
private final class AnswerServer: Sendable {
    let url: String
    private let answers = Mutex<[[UInt8]]>([])

    init() {
        let path = "/tmp/sonde-fuzz-\(getpid()).sock"
        url = "unix://\(path):/"
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        unlink(path)
        let isReady = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(socket, 8) == 0
            }
        }
        precondition(isReady, "no socket at \(path)")
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Work(socket: socket, server: self)).toOpaque()
        pthread_create(
            &thread, nil,
            { context in
                context.map { Unmanaged<Work>.fromOpaque($0).takeRetainedValue().run() }
                return nil
            }, context)
        atexit { unlink("/tmp/sonde-fuzz-\(getpid()).sock") }
    }

    /// Answers the next requests with these, and later ones with nothing.
    func answer(with next: [[UInt8]]) { answers.withLock { $0 = next.reversed() } }

    private final class Work {
        let socket: Int32
        let server: AnswerServer

        init(socket: Int32, server: AnswerServer) {
            self.socket = socket
            self.server = server
        }

        func run() {
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let connection = accept(socket, nil, nil)
                guard connection >= 0 else { continue }
                // A request that is not read would be a connection that is reset.
                if recv(connection, &chunk, chunk.count, 0) > 0 {
                    let answer = server.answers.withLock { $0.popLast() } ?? []
                    _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
                    shutdown(connection, Int32(SHUT_WR))
                    while recv(connection, &chunk, chunk.count, 0) > 0 {}
                }
                close(connection)
            }
        }
    }
}
