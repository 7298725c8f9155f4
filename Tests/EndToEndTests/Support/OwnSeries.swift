/// What the agent says of itself: each sink gets it at times of its own, so that two of them have not the same samples.
enum OwnSeries {
    /// For `metrics` of a sink that is compared with another one.
    static let excluded = #"{ exclude: ["sonde.agent.*", "sonde.source.*", "sonde.sink.*"] }"#

    /// Whether the series of that name, in any format's spelling, is one of them.
    static func has(_ name: String) -> Bool {
        name.firstMatch(of: /^sonde[._](agent|source|sink)[._]/) != nil
    }
}
