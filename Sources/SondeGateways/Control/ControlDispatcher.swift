internal import Glibc
internal import SondeDomain
internal import SondeFormats

/// Answers a line with the handler that the request names.
struct ControlDispatcher {
    /// An answer, or how it is made.
    enum Reply {
        /// The answer with its line end.
        case ready([UInt8])
        /// Work that ends in the answer; not for the loop's thread.
        case later(@Sendable () -> [UInt8])
        /// The connection subscribes to a feed with these arguments.
        case subscribe(any ControlFeed, JSONValue)
    }

    private static let limits = JSONReader.Limits(bytes: ControlLineBuffer.limit, depth: 8, values: 1_000)
    private static let shownBytes = 64

    private let handlers: [String: any ControlHandler]
    private let feeds: [String: any ControlFeed]

    init(_ handlers: [any ControlHandler], feeds: [any ControlFeed] = []) {
        self.handlers = Dictionary(handlers.map { ($0.request, $0) }) { first, _ in first }
        self.feeds = Dictionary(feeds.map { ($0.request, $0) }) { first, _ in first }
    }

    /// Makes answers that are waited for return now.
    func stop() {
        for handler in handlers.values { (handler as? any SlowControlHandler)?.stop() }
    }

    /// The result of a line; nil for an empty line, which is no request.
    func reply(
        to line: ControlLineBuffer.Line,
        for permission: ControlPermission = .change
    ) -> Reply? {
        switch line {
        case .tooLong:
            return .ready(
                Self.refusal(
                    SondeError(
                        control: .controlRequestTooLong, "the line is longer than \(ControlLineBuffer.limit) bytes")))
        case .whole(let bytes):
            guard bytes.contains(where: { $0 != 0x20 && $0 != 0x0d && $0 != 0x09 }) else { return nil }
            do throws(SondeError) {
                let request = try parse(bytes)
                let name = try name(of: request)
                if let feed = feeds[name] { return .subscribe(feed, request) }
                let handler = try handler(name)
                guard handler.permission == .read || permission == .change else { throw Self.refusal(of: name) }
                guard let slow = handler as? any SlowControlHandler else {
                    return .ready(Self.text(of: handler, request))
                }
                return .later { Self.text(of: slow, request) }
            } catch {
                return .ready(Self.refusal(error))
            }
        }
    }

    /// An error object with its line end.
    static func refusal(_ error: SondeError) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("ok", false)
            json.member("error") { error.writeAnswer(to: &$0) }
        }
        return json.bytes + [0x0a]
    }

    private static func refusal(of name: String) -> SondeError {
        SondeError(
            control: .controlChangeRefused,
            "'\(name)' is for root and user \(geteuid()), whose agent it is: members of its control group may read")
    }

    private func name(of request: JSONValue) throws(SondeError) -> String {
        guard let name = request["request"]?.asString else {
            throw SondeError(control: .controlRequestMalformed, "the line is not an object with a text 'request'")
        }
        return name
    }

    private func handler(_ name: String) throws(SondeError) -> any ControlHandler {
        guard let handler = handlers[name] else {
            let known = (Array(handlers.keys) + Array(feeds.keys)).sorted().joined(separator: ", ")
            throw SondeError(
                control: .controlRequestUnknown, "there is no request '\(Self.shown(name))'; there are: \(known)")
        }
        return handler
    }

    private static func text(of handler: any ControlHandler, _ request: JSONValue) -> [UInt8] {
        do throws(SondeError) {
            return text(try handler.answer(request))
        } catch {
            return refusal(error)
        }
    }

    private func parse(_ bytes: [UInt8]) throws(SondeError) -> JSONValue {
        do throws(JSONError) {
            return try JSONReader.parse(bytes, limits: Self.limits)
        } catch {
            throw SondeError(control: .controlRequestMalformed, "the line is not JSON: \(error)")
        }
    }

    /// An answer with its line end.
    static func text(_ answer: ControlAnswer) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("ok", true)
            json.member(answer.key, answer.write)
        }
        return json.bytes + [0x0a]
    }

    private static func shown(_ name: String) -> String {
        name.utf8.count <= shownBytes ? name : "\(String(decoding: name.utf8.prefix(shownBytes), as: UTF8.self))…"
    }
}

extension SondeError {
    /// Writes the error object of an answer.
    func writeAnswer(to json: inout JSONWriter) {
        json.object { json in
            json.member("code", code.text)
            json.member("class", failureClass.name)
            json.member("message", message)
            if !advice.isEmpty { json.member("recovery", advice) }
        }
    }
}
