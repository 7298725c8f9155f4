/// What a program prints, by the word of the configuration.
enum ExecFormat: String, CaseIterable {
    /// Lines of `docs/spec/json-line.schema.json`.
    case json
    /// InfluxDB line protocol.
    case influx
    /// Prometheus' text exposition format, or OpenMetrics: one text per run.
    case prometheus
    /// The exit status and the performance data of a check.
    case nagios
    /// Lines of `json`, and messages in both directions: docs/spec/exec.md.
    case sonde

    /// Whether it is read whole, when the program has ended.
    var isOfARun: Bool { self == .prometheus || self == .nagios }

    /// Whether what was printed before a failure is taken: not where the program says itself what belongs together.
    var isTakenUponFailure: Bool { self != .sonde && self != .prometheus }

    /// Whether a program that ended with this exit status has done what it should.
    func isSuccess(_ status: Int32) -> Bool {
        self == .nagios ? status & 0x7f == 0 && (0...3).contains((status >> 8) & 0xff) : status == 0
    }
}
