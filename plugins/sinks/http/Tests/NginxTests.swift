import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

/// nginx as the receiver.
@Suite(.enabled(if: TestProcess.path(of: "nginx") != nil, "nginx is not installed"))
struct NginxTests {
    @Test func linesArriveByteForByteOverOneConnection() throws {
        let receiver = try NginxReceiver()
        defer { receiver.end() }
        let sink = try SinkDriver(receiver.url())
        let batches = (0..<5).map { Batch.sample(first: UInt64($0 * 2 + 1)) } + [.large(300_000)]
        for batch in batches { #expect(try sink.deliver(batch) == .completed) }
        let entries = try receiver.entries(6)
        #expect(entries.count == 6)
        #expect(Set(entries.map(\.connection)).count == 1)
        #expect(entries.map(\.requests) == ["1", "2", "3", "4", "5", "6"])
        #expect(entries.map(\.batch) == batches.map(\.identity.text))
        #expect(entries.map(\.points) == ["2", "2", "2", "2", "2", "1"])
        #expect(Set(entries.map(\.type)) == ["application/x-ndjson"])
        for (entry, batch) in zip(entries, batches) {
            #expect(try receiver.body(of: entry).unpacked() == batch.expectedBody)
        }
    }

    @Test func itsRefusalOfALargeBodyIsUnderstood() throws {
        let receiver = try NginxReceiver()
        defer { receiver.end() }
        let error = try SinkDriver(receiver.url(), .unpacked).failure(.large(3 << 20))
        #expect(error.code == "SND-HTTP413")
        #expect(error.failureClass == .tooLarge)
    }

    @Test func itsRefusalOfAPathIsShown() throws {
        let receiver = try NginxReceiver()
        defer { receiver.end() }
        let error = try SinkDriver(receiver.url(path: "/closed")).failure()
        #expect(error.message == "HTTP 403 Forbidden from \(receiver.url(path: "/closed")): no entry")
    }
}
