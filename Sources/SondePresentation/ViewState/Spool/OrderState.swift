internal import SondeDomain
public import SondeFormats

/// The state of a replay or a purge.
public struct OrderState: Hashable, Sendable {
    /// The order as the agent reported it.
    public let json: JSONValue

    /// The state that an answer holds.
    public init(_ json: JSONValue) {
        self.json = json
    }

    /// Whether the agent is still at it.
    public var isOpen: Bool {
        let state = json["state"]?.asString
        return state == "waiting" || state == "running"
    }

    /// Whether everything was done that was asked.
    public var isComplete: Bool { json["state"]?.asString == "done" && json["refused"]?.asUInt64 == 0 }

    /// The state in a sentence.
    public var sentence: String {
        let sink = json["sink"]?.asString ?? StatusText.unknown
        let points = StatusText.amount(json["points"]?.asUInt64, "point", "points")
        let batches = json["batches"]?.asUInt64
        let what: String
        switch json["kind"]?.asString {
        case "purge_waiting": what = "\(points) dropped"
        case "purge_dead_letters":
            what = "\(StatusText.amount(batches, "dead letter", "dead letters")) with \(points) removed"
        default:
            let refused = json["refused"]?.asUInt64 ?? 0
            let rest = refused == 0 ? "" : ", \(StatusText.count(refused)) not"
            what = "\(StatusText.amount(batches, "batch", "batches")) with \(points) delivered\(rest)"
        }
        return HarmlessText.line("\(sink): \(what)\(ending)")
    }

    private var ending: String {
        let error = json["error"].map { "; \($0["code"]?.asString ?? "") \($0["message"]?.asString ?? "")" } ?? ""
        switch json["state"]?.asString {
        case "waiting": return "; it waits for the sink\(error)"
        case "running": return " so far\(error)"
        case "failed": return "; given up\(error)"
        default: return error
        }
    }
}

/// What a purge would drop.
public struct PurgePreview: Hashable, Sendable {
    private let json: JSONValue
    private let before: String?

    /// The preview that an answer holds; `before` is the instant asked for.
    public init(_ json: JSONValue, before: String?) {
        self.json = json
        self.before = before
    }

    /// What would be dropped, in a sentence.
    public var sentence: String {
        let sink = json["sink"]?.asString ?? StatusText.unknown
        let points = StatusText.amount(json["points"]?.asUInt64, "point", "points")
        let bytes = StatusText.bytes(json["bytes"]?.asUInt64)
        let bound = before.map { " from before \($0)" } ?? ""
        guard let batches = json["batches"]?.asUInt64 else {
            let most = before == nil ? "" : "at most "
            return HarmlessText.line("\(sink): would drop \(most)\(points) of what waits (\(bytes))\(bound)")
        }
        let letters = StatusText.amount(batches, "dead letter", "dead letters")
        return HarmlessText.line("\(sink): would remove \(letters) with \(points) (\(bytes))\(bound)")
    }
}

extension StatusText {
    /// A count with its word: `1 batch`, `12 batches`.
    static func amount(_ number: UInt64?, _ one: String, _ many: String) -> String {
        "\(count(number)) \(number == 1 ? one : many)"
    }
}
