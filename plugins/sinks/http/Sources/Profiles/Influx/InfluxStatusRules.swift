internal import SondeDomain

extension Profile {
    /// Statuses of InfluxDB that differ from ``StatusRule/common``.
    static let influxRules = [
        StatusRule(
            404, .failed(.accessRefused), "The database or bucket does not exist.",
            "Check db, or org and bucket, in the query of url, and its path.")
    ]
}
