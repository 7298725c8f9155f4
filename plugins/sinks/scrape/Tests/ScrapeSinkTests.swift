import Foundation
import SondeDomain
import SondeGzip
import SondePluginKit
import SondeTestKit
import Testing

@testable import ScrapePlugin

/// What is answered to requests.
@Suite struct ScrapeSinkTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let page = """
        # HELP system_network_io_bytes_total Bytes of an interface.
        # TYPE system_network_io_bytes_total counter
        system_network_io_bytes_total{host="h",network_interface_name="lo"} 41
        # HELP test_ratio test.ratio in 1
        # TYPE test_ratio gauge
        test_ratio{host="h"} 0.5

        """

    @Test func aScrapeHasTheLastPointOfEverySeries() throws {
        let bench = try ScrapeBench(in: directory, taking: [.sample(bytes: 40), .sample()])
        let answer = try bench.get("/metrics")
        #expect(answer.status == 200)
        #expect(answer.fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(answer.fields["vary"] == "Accept, Accept-Encoding")
        #expect(answer.body == Self.page)
        let head = try bench.get("/metrics", method: "HEAD")
        #expect(head.status == 200 && head.body.isEmpty && head.fields["content-length"] == "\(Self.page.utf8.count)")
    }

    @Test func aPageIsPackedForWhoTakesIt() throws {
        let bench = try ScrapeBench(in: directory, taking: [.sample()])
        let answer = try bench.get("/metrics", ["Accept-Encoding: deflate, gzip;q=0.5"])
        #expect(answer.fields["content-encoding"] == "gzip")
        let packed = try #require(answer.body.data(using: .isoLatin1))
        #expect(try inflated([UInt8](packed)) == Self.page)
        #expect(try bench.get("/metrics", ["Accept-Encoding: gzip;q=0"]).body == Self.page)
    }

    @Test(arguments: [
        ("application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5", true),
        ("application/openmetrics-text; version=0.0.1; q=0.4, text/plain;version=0.0.4;q=0.3, */*;q=0.1", true),
        ("application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,text/plain;version=1.0.0;q=0.5", true),
        ("application/openmetrics-text;version=2.0.0,text/plain;version=0.0.4;q=0.2", false),
        ("application/openmetrics-text;q=0.3,text/plain;q=0.4", false),
        ("application/openmetrics-text;q=0", false), ("*/*", false), ("", false), (";;q=,=;,", false),
        ("application/openmetrics-text;q=9999999999999999999999", false),
    ])
    func theFormatIsTheOneThatTheClientPrefers(accept: String, isOpenMetrics: Bool) throws {
        let bench = try ScrapeBench(in: directory, taking: [.sample()])
        let answer = try bench.get("/metrics", ["Accept: \(accept)"])
        #expect(answer.fields["content-type"]?.hasPrefix("application/openmetrics-text") == isOpenMetrics)
        #expect(answer.body.hasSuffix("# EOF\n") == isOpenMetrics)
    }

    @Test func clientsAndPathsFilter() throws {
        let path: [String: FakeHost.Option] = ["path": .string("/metrics/net"), "metrics": .list(["system.network.*"])]
        let bench = try ScrapeBench(["paths": .entries([path])], in: directory, taking: [.sample()])
        let filtered = try bench.get("/metrics?name[]=test_*&name%5B%5D=nothing")
        #expect(filtered.body.split(separator: "\n").count == 3 && filtered.body.contains("test_ratio{"))
        let part = try bench.get("/metrics/net")
        #expect(part.body.split(separator: "\n").count == 3 && part.body.contains("system_network_io_bytes_total{"))
        #expect(try bench.get("/metrics/net?name[]=test_*").body.isEmpty)
        #expect(try bench.get("/").body == "/metrics\n/metrics/net\n")
        #expect(try bench.get("/metrics/other").status == 404)
        let many = (0..<65).map { "name[]=\($0)" }.joined(separator: "&")
        #expect(try bench.get("/metrics?\(many)").status == 400)
        #expect(try bench.get("/metrics", method: "POST").status == 405)
        // What would be compared with each family for long.
        for query in [
            "name[]=*a*a*a*a*a", "name[]=*\(String(repeating: "?", count: 128))",
            "name[]=\(String(repeating: "x", count: 2_049))",
        ] {
            #expect(try bench.get("/metrics?\(query)").status == 400, "\(query)")
        }
    }

    @Test func aBodyIsPassedOver() throws {
        let bench = try ScrapeBench(in: directory, taking: [.sample()])
        let head = "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
        for text in ["Content-Length: 5\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"] {
            #expect(HTTPAnswer(try bench.exchange(head + text))?.body == Self.page, "\(text)")
        }
    }

    @Test func itIsReadyOnceABatchHasCome() throws {
        let bench = try ScrapeBench(in: directory)
        #expect(try bench.get("/healthz").status == 200)
        #expect(try bench.get("/readyz").status == 503)
        #expect(try bench.get("/metrics").body.isEmpty)
        _ = bench.end()
        let other = try TemporaryDirectory()
        #expect(try ScrapeBench(in: other, taking: [.sample()]).get("/readyz").status == 200)
    }

    @Test func credentialsAreDemanded() throws {
        let bench = try ScrapeBench(["auth.bearer": .string("s3cret")], in: directory, taking: [.sample()])
        for field in [
            "X: y", "Authorization: Bearer s3cre", "Authorization: Bearer s3creT", "Authorization: Basic s3cret",
        ] {
            let answer = try bench.get("/metrics", [field])
            #expect(answer.status == 401 && answer.fields["www-authenticate"] == "Bearer realm=\"sonde\"", "\(field)")
            #expect(!answer.body.contains("network"))
        }
        #expect(try bench.get("/metrics", ["Authorization: bearer s3cret  "]).status == 200)
        #expect(try bench.get("/healthz").status == 200)
        // What paths there are is no secret, what is on them is.
        #expect(try bench.get("/other").status == 401)
    }

    @Test func basicCredentialsAreDemanded() throws {
        let options: [String: FakeHost.Option] = [
            "auth.basic.username": .string("prometheus"), "auth.basic.password": .string("pä:ss"),
        ]
        let bench = try ScrapeBench(options, in: directory, taking: [.sample()])
        let right = Data("prometheus:pä:ss".utf8).base64EncodedString()
        #expect(try bench.get("/metrics", ["Authorization: Basic \(right)"]).status == 200)
        #expect(try bench.get("/metrics", ["Authorization: Basic \(right)="]).status == 401)
    }

    @Test func aSeriesThatHasEndedIsGone() throws {
        let series = Series(id: SeriesID(rawValue: 9), source: "kernel", name: "test.gone", kind: .gauge, unit: "")
        let bench = try ScrapeBench(
            in: directory, taking: [.sample([(series, .unsigned(1))]), .sample([(series, .ended)])])
        #expect(try bench.get("/metrics").body == Self.page)
    }

    @Test func aConnectionIsKept() throws {
        let bench = try ScrapeBench(in: directory, taking: [.sample()])
        let request = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
        let last = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        let answers = try bench.exchange(request + request + last)
        #expect(answers.components(separatedBy: "HTTP/1.1 200 OK").count == 4)
    }

    @Test func garbageIsRefused() throws {
        let bench = try ScrapeBench(in: directory, taking: [.sample()])
        for text in [
            "\r\n\r\n\r\n", "GET\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\r\n\r\n",
            "GET /metrics HTTP/1.1\r\nHost: x\r\nX: \(String(repeating: "a", count: 100_000))\r\n\r\n",
            "GET /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
            "POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n",
            "GET /%ff%fe%00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        ] {
            let client = try Client(bench.socket)
            try? client.send(text)
            shutdown(client.descriptor, Int32(SHUT_WR))
            let answer = client.readToEnd()
            #expect(!answer.contains(" 200 "), "\(text.prefix(40)): \(answer)")
        }
        // A path ends at a NUL byte, as a name of C does: the root has nothing but the list of pages.
        #expect(try bench.get("/\u{0}metrics").body == "/metrics\n")
        #expect(try bench.get("/metrics").body == Self.page)
    }

    @Test func servingEndsWhenItIsCancelled() throws {
        let bench = try ScrapeBench(in: directory, taking: [.sample()])
        let client = try Client(bench.socket)
        try client.send("GET /metr")
        #expect(try bench.end()?.get() == .completed)
    }

    private func inflated(_ packed: [UInt8]) throws -> String {
        var output = [UInt8](repeating: 0, count: 64 << 10)
        let inflater = try #require(Inflater())
        let step = try packed.withUnsafeBytes { input in
            try output.withUnsafeMutableBytes { try inflater.inflate(input, into: $0) }
        }
        #expect(step.isAtEnd)
        return String(decoding: output.prefix(step.produced), as: UTF8.self)
    }
}
