/// What the agent says of itself: each sink gets it at times of its own, so that two of them have not the same samples.
enum OwnSeries {
    /// For `metrics` of a sink that is compared with another one.
    ///
    /// Processor time is in the log: a stretch of it alone is not to be left out whole.
    static let excluded: String = {
        let agent = ["build", "uptime", "config*", "memory*", "open*", "thread*", "schedule*", "stopping", "trouble"]
        let names = agent.map { "sonde.agent.\($0)" } + ["sonde.source.*", "sonde.sink.*"]
        return "{ exclude: [\(names.map { "\"\($0)\"" }.joined(separator: ", "))] }"
    }()

    /// Whether the series of that name, in any format's spelling, is one of them.
    static func has(_ name: String) -> Bool {
        name.firstMatch(of: /^sonde[._](agent|source|sink)[._]/) != nil
    }
}
