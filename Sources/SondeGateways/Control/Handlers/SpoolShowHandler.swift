public import SondeDomain
internal import SondeEngine
public import SondeFormats

/// `spool.show`: the points of a range of the log, or of a dead letter, as JSON lines.
public final class SpoolShowHandler: SlowControlHandler {
    private static let numbersBound = 5_000
    private static let linesBound = 2_000
    private static let bytesBound = 2 << 20

    /// `spool.show`.
    public let request = "spool.show"
    /// It changes nothing.
    public let permission = ControlPermission.read
    private let access: SpoolAccess

    /// A handler for a spool.
    public init(_ access: SpoolAccess) {
        self.access = access
    }

    /// One page: of `first` to `last`, or of `dead_letter` from line `line` on.
    public func answer(_ arguments: JSONValue) throws(SondeError) -> ControlAnswer {
        let arguments = ControlArguments(arguments)
        guard let name = try arguments.text("dead_letter") else { return try stretch(arguments) }
        let folder = try folder(of: name, try arguments.text("sink"))
        let line = Int(clamping: try arguments.number("line") ?? 0)
        let limit = try arguments.limit(Self.linesBound)
        guard let heading = folder.folder.heading(of: name)?.heading,
            let page = folder.folder.lines(of: name, from: line, count: limit, bytes: Self.bytesBound)
        else { throw .spool(.deadLetterMissing, "the dead letter '\(name.prefix(200))' cannot be read") }
        return ControlAnswer("show") { json in
            json.object { json in
                json.member("heading") { json in
                    json.object { json in
                        json.member("schema", DeadLetterHeading.schema)
                        heading.writeMembers(to: &json)
                    }
                }
                json.member("lines", page.lines.map { String(decoding: $0, as: UTF8.self) })
                if !page.isEnd { json.member("next", line + page.lines.count) }
            }
        }
    }

    private func folder(of name: String, _ sink: String?) throws(SondeError) -> (sink: String, folder: DeadLetterFolder)
    {
        let found = access.letterFolders.filter { (sink == nil || $0.sink == sink) && $0.folder.file(name) != nil }
        guard DeadLetterFolder.isName(name), let first = found.first else {
            throw .spool(.deadLetterMissing, "there is no dead letter '\(name.prefix(200))'")
        }
        guard found.count == 1 else {
            let sinks = found.map(\.sink).joined(separator: ", ")
            throw ControlArguments.wrong("several sinks have a dead letter of that name; name one of: \(sinks)")
        }
        return first
    }

    private func stretch(_ arguments: ControlArguments) throws(SondeError) -> ControlAnswer {
        guard let first = try arguments.number("first") else { throw ControlArguments.wrong("'first' is missing") }
        let last = try arguments.number("last") ?? first
        guard first >= 1, first <= last else { throw ControlArguments.wrong("'first' is 0 or above 'last'") }
        let count = try arguments.limit(Self.numbersBound)
        guard let begin = firstHeld(from: first), begin <= last else { return answer([], next: nil) }
        let (end, overflow) = begin.addingReportingOverflow(UInt64(count) - 1)
        let wanted = overflow ? last : min(last, end)
        let content = access.store.contents(from: begin, count: Int(clamping: wanted &- begin &+ 1))
        let pageLast = min(wanted, content.last)
        let identity = BatchIdentity(agent: access.agent, epoch: access.store.epoch, first: begin, last: pageLast)
        let batch = Batch(content.points, content.documents, identity, sink: "", resource: content.resource)
        var buffer = ByteBuffer()
        var encoder = JSONLineEncoder()
        _ = encoder.encode(batch, into: &buffer)
        let lines = buffer.bytes.split(separator: 0x0a).map { String(decoding: $0, as: UTF8.self) }
        let rest = pageLast < last ? firstHeld(from: pageLast + 1) : nil
        return answer(lines, next: rest.flatMap { $0 <= last ? $0 : nil })
    }

    private func answer(_ lines: [String], next: UInt64?) -> ControlAnswer {
        let epoch = access.store.epoch
        return ControlAnswer("show") { json in
            json.object { json in
                json.member("epoch", epoch)
                json.member("lines", lines)
                json.member(ifKnown: "next", next)
            }
        }
    }

    /// The first number at or after `number` that the log may hold; nil: there is none.
    private func firstHeld(from number: UInt64) -> UInt64? {
        let (result, _) = access.store.append([], documents: [], at: MonotonicInstant(nanoseconds: 0))
        if case .taken(let none) = result, number >= none.first { return nil }
        guard let segments = access.store.usage()?.segments else { return number }
        let next = segments.compactMap(\.stretch).first { $0.last >= number }
        return next.map { max(number, $0.first) }
    }
}
