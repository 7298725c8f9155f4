public import SondeDomain
internal import SondeEngine
public import SondeFormats

/// `spool.dead_letters`: what receivers have refused permanently and why.
public final class DeadLettersHandler: SlowControlHandler {
    private static let pageBound = 200

    /// `spool.dead_letters`.
    public let request = "spool.dead_letters"
    /// It changes nothing.
    public let permission = ControlPermission.read
    private let access: SpoolAccess

    /// A handler for a spool.
    public init(_ access: SpoolAccess) {
        self.access = access
    }

    /// The dead letters after `after`, `<sink>/<name>`, of one sink or of all.
    public func answer(_ arguments: JSONValue) throws(SondeError) -> ControlAnswer {
        let arguments = ControlArguments(arguments)
        let sink = try arguments.text("sink")
        let after = try arguments.text("after") ?? ""
        let limit = try arguments.limit(Self.pageBound)
        var page: [(sink: String, name: String, folder: DeadLetterFolder)] = []
        var hasMore = false
        // Sinks in the order of their ids and names in theirs: the end of a page can be found again.
        let (afterSink, afterName) = Self.place(after)
        for (id, folder) in access.letterFolders where (sink == nil || id == sink) && id >= afterSink {
            for name in folder.names where id > afterSink || name > afterName {
                guard page.count < limit else {
                    hasMore = true
                    break
                }
                page.append((id, name, folder))
            }
            if hasMore { break }
        }
        let next = hasMore ? page.last.map { "\($0.sink)/\($0.name)" } : nil
        return ControlAnswer("dead_letters") { json in
            json.object { json in
                json.member("items") { json in
                    json.array { json in
                        for (sink, name, folder) in page { Self.write(sink, name, folder, to: &json) }
                    }
                }
                json.member(ifKnown: "next", next)
            }
        }
    }

    private static func place(_ after: String) -> (sink: String, name: String) {
        guard let slash = after.firstIndex(of: "/") else { return ("", "") }
        return (String(after[..<slash]), String(after[after.index(after: slash)...]))
    }

    private static func write(_ sink: String, _ name: String, _ folder: DeadLetterFolder, to json: inout JSONWriter) {
        // One that vanished since its name was read was delivered or removed.
        guard let file = folder.file(name) else { return }
        json.object { json in
            json.member("name", name)
            guard let heading = folder.heading(of: name)?.heading else {
                json.member("sink", sink)
                json.member("bytes", file.bytes)
                return
            }
            var known = heading
            known.sink = sink
            known.writeMembers(to: &json)
            json.member("bytes", file.bytes)
        }
    }
}
