public import SondeDomain
public import SondeEngine
public import SondeFormats

/// `list`: the heaviest of something, in pages.
public final class ListHandler: ControlHandler {
    /// `list`.
    public let request = "list"
    /// It changes nothing.
    public let permission = ControlPermission.read
    private let current: CurrentSnapshot

    /// A handler that answers with lists of the current snapshot.
    public init(_ current: CurrentSnapshot) {
        self.current = current
    }

    /// The rows from `offset` on, at most `limit`, of the list `name` of `source`, or of the first source that has it.
    public func answer(_ request: JSONValue) throws(SondeError) -> ControlAnswer {
        let arguments = ControlArguments(request)
        let name = try arguments.requiredText("name")
        let source = try arguments.text("source")
        let offset = Int(clamping: try arguments.number("offset") ?? 0)
        let limit = try arguments.limit(TopList.bound)
        let (snapshot, version) = current()
        guard let list = snapshot.lists.first(where: { $0.name == name && (source ?? $0.source) == $0.source }) else {
            throw Self.missing(name, source, in: snapshot)
        }
        let begin = min(offset, list.rows.count)
        let end = min(begin + limit, list.rows.count)
        return ControlAnswer("list") { json in
            json.object { json in
                json.member("number", version)
                list.writeMembers(rows: begin..<end, to: &json)
                if end < list.rows.count { json.member("next", end) }
            }
        }
    }

    private static func missing(_ name: String, _ source: String?, in snapshot: Snapshot) -> SondeError {
        if let absent = snapshot.absentLists.first(where: { $0.name == name }) {
            return ControlArguments.wrong("no source reports the list '\(name)' now: it needs \(absent.needs)")
        }
        let names = Set(snapshot.lists.map(\.name) + TopListDefinition.all.map(\.name)).sorted()
        let known = names.joined(separator: ", ")
        return ControlArguments.wrong(
            source == nil
                ? "there is no list of that name; there are: \(known)" : "that source does not report the list '\(name)'")
    }
}
