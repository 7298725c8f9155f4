internal import SondeFormats

extension Profile {
    /// InfluxDB line protocol, for InfluxDB, VictoriaMetrics, Telegraf and their kind.
    static let influx = Profile(
        format: "influx",
        meaning: "InfluxDB line protocol with times in nanoseconds",
        contentType: LineFormat.influx.contentType,
        makeEncoder: LineFormat.influx.makeEncoder,
        rules: influxRules,
        read: InfluxAnswer.read
    )
}
