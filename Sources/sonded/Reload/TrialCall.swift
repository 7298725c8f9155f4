internal import SondeGateways

/// The call with which a running agent links a plugin in another process before it links it itself.
struct TrialCall {
    private let path: String
    private let entry: String

    /// Nil for any other call.
    init?(_ words: [String]) {
        guard words.count == 4, words[1] == ObjectTrial.word else { return nil }
        path = words[2]
        entry = words[3]
    }

    /// Links the plugin and ends the process.
    func linkAndEnd() -> Never {
        ObjectTrial.linkAndEnd(path, entry: entry)
    }
}
