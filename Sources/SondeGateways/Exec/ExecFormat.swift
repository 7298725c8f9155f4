/// What a program prints, by the word of the configuration.
enum ExecFormat: String, CaseIterable {
    /// Lines of `docs/spec/json-line.schema.json`.
    case json
    /// InfluxDB line protocol.
    case influx
}
