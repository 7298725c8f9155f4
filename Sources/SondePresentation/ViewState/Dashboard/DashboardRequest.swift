public import SondeDomain
public import SondeFormats

/// A request to the agent that the dashboard wants made.
public struct DashboardRequest: Hashable, Sendable {
    /// What is asked.
    public enum Question: Hashable, Sendable {
        /// The state of the network.
        case snapshot
        /// The state of the agent.
        case status
        /// The points of a chart, from a place on.
        case history(DashboardSubject, after: JSONValue?)
        /// The courses of all members of a metric, from a place on.
        case courses(DashboardSubject, after: JSONValue?)
        /// What has moved within a range; of one that is longer than a day, within a day.
        case changes(HistoryTier)
        /// The rows of a list of a source, from a place on.
        case list(String, source: String, offset: JSONValue?)
        /// A piece of a file, from a place on.
        case export(DashboardSubject, format: String, after: JSONValue?)
        /// A source or sink tries again at once.
        case retry(String)
    }

    /// Identifies it: the answer comes with it.
    public var id: Int
    /// What is asked.
    public var question: Question

    /// The request's name.
    public var name: String {
        switch question {
        case .snapshot: "snapshot"
        case .status: "status"
        case .history, .courses: "history"
        case .changes: "changes"
        case .list: "list"
        case .export: "export"
        case .retry: "retry"
        }
    }

    /// The member of the answer that has what was asked for: it has the request's name.
    public var key: String { name }

    /// Its other members.
    public var members: [JSONValue.Member] {
        switch question {
        case .snapshot, .status: []
        case .history(let subject, let after):
            // Series are in the order of their members, and the one of all members comes first.
            Self.members(subject) + [.init("limit", .integer(1))] + Self.place(after)
        case .courses(let subject, let after):
            Self.members(subject)
                + [.init("resolution", .string(DurationText.text(of: DashboardCourses(subject).step)))]
                + Self.place(after)
        case .changes(let range):
            [.init("range", .string((range.window > HistoryTier.day.window ? HistoryTier.day : range).name))]
        case .list(let name, let source, let offset):
            [.init("name", .string(name)), .init("source", .string(source))]
                + (offset.map { [.init("offset", $0)] } ?? [])
        case .export(let subject, let format, let after):
            Self.members(subject) + [.init("format", .string(format))] + Self.place(after)
        case .retry(let instance): [.init("plugin", .string(instance))]
        }
    }

    private static func members(_ subject: DashboardSubject) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = [
            .init("metric", .string(subject.metric.rawValue)), .init("range", .string(subject.range.name)),
        ]
        if let member = subject.member { members.append(.init("member", .string(member))) }
        if let source = subject.source { members.append(.init("source", .string(source))) }
        return members
    }

    private static func place(_ after: JSONValue?) -> [JSONValue.Member] {
        after.map { [.init("after", $0)] } ?? []
    }
}
