public import SondeDomain
public import SondeEngine
public import SondeFormats

/// `changes`: what has moved from its own history.
public final class ChangesHandler: SlowControlHandler {
    private static let bound = 100
    private static let standardRange = Nanoseconds.seconds(3_600)

    /// `changes`.
    public let request = "changes"
    /// It changes nothing.
    public let permission = ControlPermission.read
    private let rank: RankChanges
    private let clock: any Clock

    /// A handler for what `record` keeps.
    public init(_ record: RecordHistory, clock: any Clock) {
        rank = RankChanges(record)
        self.clock = clock
    }

    /// The ranking, the most unusual first.
    public func answer(_ request: JSONValue) throws(SondeError) -> ControlAnswer {
        let arguments = ControlArguments(request)
        let limit = try arguments.limit(Self.bound)
        let changes = try rank(range(arguments), against: reference(arguments), at: clock.wallTime)
        return ControlAnswer("changes") { json in
            json.object { changes.writeMembers(to: &$0, limit: limit) }
        }
    }

    private func range(_ arguments: ControlArguments) throws(SondeError) -> Nanoseconds {
        guard let range = try arguments.duration("range") else { return Self.standardRange }
        guard RankChanges.shortestRange <= range, range <= RankChanges.longestRange else {
            throw ControlArguments.wrong("'range' is not from 5m to 24h")
        }
        return range
    }

    private func reference(_ arguments: ControlArguments) throws(SondeError) -> HistoryChanges.Reference {
        guard let word = try arguments.text("against") else { return .week }
        guard let reference = HistoryChanges.Reference(rawValue: word) else {
            let known = HistoryChanges.Reference.allCases.map(\.rawValue).joined(separator: ", ")
            throw ControlArguments.wrong("'against' is none of \(known)")
        }
        return reference
    }
}
