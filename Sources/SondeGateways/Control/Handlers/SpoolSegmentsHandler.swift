public import SondeDomain
public import SondeEngine
public import SondeFormats

/// `spool.segments`: what the log's files hold, each sink's position in them, and what was set aside.
public final class SpoolSegmentsHandler: SlowControlHandler {
    private static let pageBound = 1_000

    /// `spool.segments`.
    public let request = "spool.segments"
    /// It changes nothing.
    public let permission = ControlPermission.read
    private let access: SpoolAccess

    /// A handler for a spool.
    public init(_ access: SpoolAccess) {
        self.access = access
    }

    /// The segments that begin after `after`; with those of the first page the sinks and what was set aside.
    public func answer(_ arguments: JSONValue) throws(SondeError) -> ControlAnswer {
        let arguments = ControlArguments(arguments)
        let after = try arguments.number("after")
        let limit = try arguments.limit(Self.pageBound)
        let usage = access.store.usage()
        let rest = (usage?.segments ?? []).filter { $0.first > after ?? 0 }
        let page = rest.prefix(limit)
        let (store, folder) = (access.store, access.folders.spool)
        return ControlAnswer("segments") { json in
            json.object { json in
                json.member("epoch", store.epoch)
                json.member(ifKnown: "bytes", usage?.bytes)
                json.member(ifKnown: "max_bytes", usage?.maxBytes)
                json.member("items") { json in
                    json.array { json in for segment in page { segment.write(to: &json) } }
                }
                if rest.count > page.count { json.member(ifKnown: "next", page.last?.first) }
                guard after == nil else { return }
                if let usage { json.member("sinks", usage.sinks) }
                guard let folder else { return }
                json.member("set_aside") { json in
                    json.array { json in
                        for file in SetAsideFile.all(in: folder) {
                            json.object { json in
                                json.member("name", file.name)
                                json.member("bytes", file.bytes)
                            }
                        }
                    }
                }
            }
        }
    }
}

extension SpoolUsage.Segment {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("first", first)
            if let stretch { json.member("last", stretch.last) }
            json.member("state", isActive ? "active" : "sealed")
            json.member("points", points)
            json.member("bytes", bytes)
            json.member("created", time: created)
            json.member("oldest", time: oldest)
            json.member("newest", time: newest)
        }
    }
}

extension SpoolUsage.Sink: JSONWritable {
    /// Writes the sink's position.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("reader", kind == .live ? "live" : "durable")
            json.member("next", next)
            if let stretch { json.member("offering", "\(stretch.first)-\(stretch.last)") }
            json.member("waiting", waiting)
            json.member("bytes", bytes)
            json.member("oldest", time: oldest)
        }
    }
}
