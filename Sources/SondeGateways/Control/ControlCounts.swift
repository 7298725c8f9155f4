public import SondeFormats

/// What the control socket has done since the start of the agent.
///
/// Used on the loop's thread.
public final class ControlCounts: JSONWritable {
    /// Connections that are open.
    var connections = 0
    /// How many of them have subscribed to a feed.
    var watchers = 0
    /// Snapshots that were replaced by a newer one before a watcher took them.
    var skipped: UInt64 = 0
    /// How often a watcher of series started again because it or the agent was too slow.
    var lagged: UInt64 = 0
    /// Watchers that were closed because they took nothing for too long.
    var stalled: UInt64 = 0

    /// Counts at zero.
    public init() {}

    /// Writes the counts as one object.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("connections", connections)
            json.member("watchers", watchers)
            json.member("skipped", skipped)
            json.member("lagged", lagged)
            json.member("stalled", stalled)
        }
    }
}
