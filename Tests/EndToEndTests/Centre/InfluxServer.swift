import Foundation
import Glibc

/// InfluxDB 1.x of the system, with its data in the workspace and one database, `sonde`.
struct InfluxServer {
    static let program = "/usr/bin/influxd"
    static let isInstalled = access(program, X_OK) == 0

    /// Its answer to a request.
    struct Answer {
        var status: Int
        var body: String
    }

    let address: String
    private let workspace: Workspace

    /// Starts it and waits until it answers.
    init(_ workspace: Workspace) async throws {
        self.workspace = workspace
        let ports = try (0..<2).map { _ in
            let (holder, port) = try Loopback.reservedPort()
            close(holder)
            return port
        }
        address = "127.0.0.1:\(ports[0])"
        let folder = try workspace.makeFolder("influxdb")
        let file = try workspace.write(
            "influxdb/influxdb.conf",
            """
            reporting-disabled = true
            bind-address = "127.0.0.1:\(ports[1])"
            [meta]
              dir = "\(folder)/meta"
            [data]
              dir = "\(folder)/data"
              wal-dir = "\(folder)/wal"
            [http]
              bind-address = "\(address)"
            [monitor]
              store-enabled = false

            """)
        _ = try workspace.start([Self.program, "-config", file], as: "influxd")
        let end = ContinuousClock.now + .seconds(60)
        while try await post("/query?q=CREATE+DATABASE+sonde").status != 200 {
            guard ContinuousClock.now < end else {
                throw TimedOut(condition: "influxd: \(workspace.errors(of: "influxd"))", limit: .seconds(60))
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// Posts a file of the workspace, or nothing; status 0: no answer.
    func post(_ path: String, file: String = "/dev/null") async throws -> Answer {
        let script = """
            import sys, urllib.request as r, urllib.error as e
            try:
                answer = r.urlopen(r.Request(sys.argv[1], data=open(sys.argv[2], "rb").read()), timeout=20)
            except e.HTTPError as refusal:
                answer = refusal
            except OSError:
                sys.exit(1)
            print(answer.status)
            sys.stdout.write(answer.read().decode())
            """
        let result = try await workspace.run(
            [Python.path ?? "/usr/bin/python3", "-c", script, "http://\(address)\(path)", file])
        let parts = result.output.split(separator: "\n", maxSplits: 1)
        return Answer(
            status: parts.first.flatMap { Int($0) } ?? 0, body: parts.count > 1 ? String(parts[1]) : "")
    }

    /// One series with its last row.
    struct Series: Decodable {
        var name: String
        var tags: [String: String]?
        var columns: [String]
        var values: [[Double?]]
    }

    /// Every series of the database, or of one measurement, with its last row; times in milliseconds.
    func lastRows(of measurement: String = "/.+/") async throws -> [Series] {
        struct Answer: Decodable {
            struct Result: Decodable { var series: [Series]? }
            var results: [Result]
        }
        let query = "SELECT * FROM \(measurement) GROUP BY * ORDER BY time DESC LIMIT 1"
        let escaped = query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let answer = try await post("/query?db=sonde&epoch=ms&q=\(escaped)")
        return try JSONDecoder().decode(Answer.self, from: Data(answer.body.utf8)).results.flatMap { $0.series ?? [] }
    }

    /// The last sample of each field of each series, named as VictoriaMetrics names them: `measurement_field{tag="…"}`.
    func lastSamples() async throws -> [String: MetricServer.Sample] {
        var samples: [String: MetricServer.Sample] = [:]
        for series in try await lastRows() {
            guard let row = series.values.first, let time = row.first ?? nil else { continue }
            for (field, value) in zip(series.columns, row).dropFirst() {
                guard let value else { continue }
                let key = LinePage.key(series.name, field, series.tags ?? [:])
                samples[key] = MetricServer.Sample(milliseconds: Int64(time), value: value)
            }
        }
        return samples
    }
}
