import Foundation
import Glibc

/// A central server that stores what the agent sends, with its data in the workspace.
struct MetricServer {
    enum Program: String {
        case prometheus
        case victoriaMetrics = "victoria-metrics"

        /// Where it was unpacked, by `make servers`.
        var path: String { "\(MetricServer.folder)/programs/usr/bin/\(rawValue)" }
        var isInstalled: Bool { access(path, X_OK) == 0 }
    }

    /// One sample as the server has it.
    struct Sample: Hashable {
        var milliseconds: Int64
        var value: Double

        /// VictoriaMetrics keeps fifteen digits or so of a value.
        func isTheSame(as other: Sample) -> Bool {
            milliseconds == other.milliseconds
                && (value == other.value || abs(value - other.value) <= abs(value) * 1e-12)
        }
    }

    static let folder: String = {
        let environment = ProcessInfo.processInfo.environment
        return environment["SONDE_SERVERS"] ?? "\(environment["HOME"] ?? ".")/.cache/sonde/servers"
    }()

    let address: String
    private let program: Program
    private let workspace: Workspace
    /// What a command has to begin with to run in the server's network namespace.
    let prefix: [String]

    /// Starts a server and waits until it answers; in a network namespace of its own when `setup` is given, which is run in it
    /// before.
    ///
    /// Prometheus scrapes `target` every second.
    init(
        _ program: Program, _ workspace: Workspace, inNamespace setup: String? = nil, scraping target: String? = nil
    ) async throws {
        self.program = program
        self.workspace = workspace
        let (holder, port) = try Loopback.reservedPort()
        close(holder)
        address = "127.0.0.1:\(port)"
        let folder = try workspace.makeFolder(program.rawValue)
        var command = [program.path] + Self.arguments(program, address: address, folder: folder)
        if program == .prometheus {
            let scrape = target.map {
                """
                global: { scrape_interval: 1s }
                scrape_configs: [{ job_name: sonde, static_configs: [{ targets: ["\($0)"] }] }]

                """
            }
            try workspace.write(
                "prometheus/prometheus.yml",
                "storage: { tsdb: { out_of_order_time_window: 0s } }\n" + (scrape ?? ""))
        }
        guard let setup else {
            prefix = []
            _ = try workspace.start(command, as: program.rawValue)
            try await waitForAnswer()
            return
        }
        command =
            ["/usr/bin/unshare", "--net", "/bin/sh", "-c", "ip link set lo up; \(setup); exec \"$@\"", "sh"] + command
        let server = try workspace.start(command, as: program.rawValue)
        prefix = ["/usr/bin/nsenter", "--net=/proc/\(server.processID)/ns/net"]
        try await waitForAnswer()
    }

    private static func arguments(_ program: Program, address: String, folder: String) -> [String] {
        switch program {
        case .prometheus:
            [
                "--config.file=\(folder)/prometheus.yml", "--storage.tsdb.path=\(folder)/data",
                "--web.listen-address=\(address)", "--web.enable-remote-write-receiver",
                "--enable-feature=created-timestamp-zero-ingestion,native-histograms",
            ]
        case .victoriaMetrics:
            [
                "-storageDataPath=\(folder)/data", "-httpListenAddr=\(address)", "-search.latencyOffset=0s",
                "-retentionPeriod=1", "-opentelemetry.usePrometheusNaming", "-opentelemetry.promoteScopeMetadata=false",
            ]
        }
    }

    private func waitForAnswer() async throws {
        let health = program == .prometheus ? "/-/ready" : "/health"
        let end = ContinuousClock.now + .seconds(60)
        while try await get(health) == nil {
            guard ContinuousClock.now < end else {
                throw TimedOut(
                    condition: "\(program.rawValue) answers: \(workspace.errors(of: program.rawValue))",
                    limit: .seconds(60))
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// The body of an answer; nil where it is none of success.
    func get(_ path: String, _ parameters: [(String, String)] = []) async throws -> String? {
        var components = URLComponents()
        components.queryItems = parameters.map { URLQueryItem(name: $0.0, value: $0.1) }
        let query = (components.percentEncodedQuery ?? "").replacing("+", with: "%2B")
        let script =
            "import sys, urllib.request as r; sys.stdout.write(r.urlopen(sys.argv[1], timeout=20).read().decode())"
        let url = "http://\(address)\(path)" + (query.isEmpty ? "" : "?\(query)")
        let result = try await workspace.run(prefix + [Python.path ?? "/usr/bin/python3", "-c", script, url])
        return result.end == .exited(0) ? result.output : nil
    }

    /// Makes everything that was acknowledged visible to queries.
    ///
    /// VictoriaMetrics takes a second, more under load, and one request may be visible before another that came first.
    func showEverything() async throws {
        guard case .victoriaMetrics = program else { return }
        guard try await get("/internal/force_flush") != nil else {
            throw TimedOut(condition: "everything is visible", limit: .seconds(20))
        }
    }

    /// Every sample of the last ten minutes by its series, `name{a="b"}` with sorted labels.
    func samples(of selector: String) async throws -> [String: [Sample]] {
        switch program {
        case .prometheus: return try await matrix("/api/v1/query", [("query", "\(selector)[10m]")])
        case .victoriaMetrics:
            struct Row: Decodable {
                var metric: [String: String]
                var values: [Double?]
                var timestamps: [Int64]
            }
            let text = try await get("/api/v1/export", [("match[]", selector)]) ?? ""
            let rows = try text.split(separator: "\n").map { try JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
            return Self.table(
                rows.map { row in
                    (
                        row.metric,
                        zip(row.timestamps, row.values).compactMap { time, value in
                            value.map { Sample(milliseconds: time, value: $0) }
                        }
                    )
                })
        }
    }

    /// What a query finds at each step of a range of milliseconds, by series.
    func values(of query: String, _ range: ClosedRange<Int64>, step: Int64) async throws -> [String: [Sample]] {
        // nocache: VictoriaMetrics would round the range to steps.
        try await matrix(
            "/api/v1/query_range",
            [
                ("query", query), ("start", Self.seconds(range.lowerBound)), ("end", Self.seconds(range.upperBound)),
                ("step", Self.seconds(step)), ("nocache", "1"),
            ])
    }

    private static func seconds(_ milliseconds: Int64) -> String {
        "\(milliseconds / 1_000).\(String(1_000 + milliseconds % 1_000).dropFirst())"
    }

    private func matrix(_ path: String, _ parameters: [(String, String)]) async throws -> [String: [Sample]] {
        struct Answer: Decodable {
            struct Row: Decodable {
                var metric: [String: String]
                var values: [[Scalar]]
            }
            struct Payload: Decodable { var result: [Row] }
            var data: Payload
        }
        let text = try await get(path, parameters) ?? ""
        let rows = try JSONDecoder().decode(Answer.self, from: Data(text.utf8)).data.result
        return Self.table(
            rows.map { row in
                (
                    row.metric,
                    row.values.map {
                        Sample(milliseconds: Int64(($0[0].value * 1_000).rounded()), value: $0[1].value)
                    }
                )
            })
    }

    /// The series that an instant query finds now.
    func currentSeries(of selector: String) async throws -> Set<String> {
        struct Answer: Decodable {
            struct Row: Decodable { var metric: [String: String] }
            struct Payload: Decodable { var result: [Row] }
            var data: Payload
        }
        let text = try await get("/api/v1/query", [("query", selector)]) ?? ""
        let rows = try JSONDecoder().decode(Answer.self, from: Data(text.utf8)).data.result
        return Set(rows.map { Self.key($0.metric) })
    }

    private static func table(_ rows: [([String: String], [Sample])]) -> [String: [Sample]] {
        Dictionary(rows.map { (key($0.0), $0.1) }) { $0 + $1 }
    }

    /// `name{a="b",c="d"}` with the labels sorted, without those that a scrape would add and those of a service in OTLP, and with
    /// names of hosts and bounds as remote write has them.
    static func key(_ labels: [String: String]) -> String {
        var shown = labels.filter { !["__name__", "job", "instance"].contains($0.key) && !$0.value.isEmpty }
        if let bound = shown["le"].flatMap({ Double($0) }) { shown["le"] = "\(bound)" }
        if shown["service_name"] != nil {
            shown["host"] = shown.removeValue(forKey: "host_name")
            shown = shown.filter { !$0.key.hasPrefix("service_") }
        }
        return "\(labels["__name__"] ?? ""){"
            + shown.sorted { $0.key < $1.key }.map { "\($0.key)=\"\($0.value)\"" }.joined(separator: ",") + "}"
    }

    /// A number that JSON has as one or as text.
    private struct Scalar: Decodable {
        let value: Double

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                value = number
                return
            }
            let text = try container.decode(String.self)
            value = text == "+Inf" ? .infinity : Double(text) ?? .nan
        }
    }
}
