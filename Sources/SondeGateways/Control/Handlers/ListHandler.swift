public import SondeDomain
public import SondeEngine
public import SondeFormats

/// `list`: the heaviest of something, in pages.
public final class ListHandler: ControlHandler {
    /// `list`.
    public let request = "list"
    /// It changes nothing.
    public let permission = ControlPermission.read
    private static let failures = "failures"
    private let current: CurrentSnapshot

    /// A handler that answers with lists of the current snapshot.
    public init(_ current: CurrentSnapshot) {
        self.current = current
    }

    /// The rows from `offset` on, at most `limit`, of the list `name` of `source`, or of the first source that has it; of
    /// `failures`, what is broken.
    public func answer(_ request: JSONValue) throws(SondeError) -> ControlAnswer {
        let arguments = ControlArguments(request)
        let name = try arguments.requiredText("name")
        let source = try arguments.text("source")
        let offset = Int(clamping: try arguments.number("offset") ?? 0)
        let limit = try arguments.limit(TopList.bound)
        let (snapshot, version) = current()
        guard name != Self.failures else { return Self.failurePage(snapshot, version, offset, limit) }
        guard let list = snapshot.lists.first(where: { $0.name == name && (source ?? $0.source) == $0.source }) else {
            throw Self.missing(name, source, in: snapshot)
        }
        let (begin, end) = Self.page(offset, limit, of: list.rows.count)
        return ControlAnswer("list") { json in
            json.object { json in
                json.member("number", version)
                list.writeMembers(rows: begin..<end, to: &json)
                if end < list.rows.count { json.member("next", end) }
            }
        }
    }

    /// What is broken now, which is no list of a source.
    private static func failurePage(_ snapshot: Snapshot, _ version: UInt64, _ offset: Int, _ limit: Int)
        -> ControlAnswer
    {
        let (begin, end) = page(offset, limit, of: snapshot.failures.count)
        return ControlAnswer("list") { json in
            json.object { json in
                json.member("number", version)
                json.member("name", failures)
                json.member("count", snapshot.failures.count)
                json.member("rows", Array(snapshot.failures[begin..<end]))
                if end < snapshot.failures.count { json.member("next", end) }
            }
        }
    }

    private static func page(_ offset: Int, _ limit: Int, of count: Int) -> (begin: Int, end: Int) {
        let begin = min(offset, count)
        return (begin, begin + min(limit, count - begin))
    }

    private static func missing(_ name: String, _ source: String?, in snapshot: Snapshot) -> SondeError {
        if let absent = snapshot.absentLists.first(where: { $0.name == name }) {
            return ControlArguments.wrong("no source reports the list '\(name)' now: it needs \(absent.needs)")
        }
        let names = Set([failures] + snapshot.lists.map(\.name) + TopListDefinition.all.map(\.name)).sorted()
        let known = names.joined(separator: ", ")
        return ControlArguments.wrong(
            source == nil
                ? "there is no list of that name; there are: \(known)"
                : "that source does not report the list '\(name)'")
    }
}
