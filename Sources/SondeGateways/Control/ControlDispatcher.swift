internal import SondeDomain
internal import SondeFormats

/// Turns a line into an answer with the handler that the request names.
struct ControlDispatcher {
    private static let limits = JSONReader.Limits(bytes: ControlLineBuffer.limit, depth: 8, values: 1_000)
    private static let shownBytes = 64

    private let handlers: [String: any ControlHandler]

    init(_ handlers: [any ControlHandler]) {
        self.handlers = Dictionary(handlers.map { ($0.request, $0) }) { first, _ in first }
    }

    /// The answer with its line end; nil for an empty line, which asks nothing.
    func answer(_ line: ControlLineBuffer.Line) -> [UInt8]? {
        switch line {
        case .tooLong:
            return Self.refusal(
                SondeError(
                    control: .controlRequestTooLong, "the line is longer than \(ControlLineBuffer.limit) bytes"))
        case .whole(let bytes):
            guard bytes.contains(where: { $0 != 0x20 && $0 != 0x0d && $0 != 0x09 }) else { return nil }
            do throws(SondeError) {
                return Self.text(try answer(bytes))
            } catch {
                return Self.refusal(error)
            }
        }
    }

    /// An error object with its line end.
    static func refusal(_ error: SondeError) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("ok", false)
            json.member("error") { json in
                json.object { json in
                    json.member("code", error.code.text)
                    json.member("class", error.failureClass.name)
                    json.member("message", error.message)
                    if !error.adviceSentences.isEmpty { json.member("recovery", error.adviceSentences) }
                }
            }
        }
        return json.bytes + [0x0a]
    }

    private func answer(_ bytes: [UInt8]) throws(SondeError) -> ControlAnswer {
        let request = try parse(bytes)
        guard let name = request["request"]?.asString else {
            throw SondeError(control: .controlRequestMalformed, "the line is not an object with a text 'request'")
        }
        guard let handler = handlers[name] else {
            let known = handlers.keys.sorted().joined(separator: ", ")
            throw SondeError(
                control: .controlRequestUnknown, "there is no request '\(Self.shown(name))'; there are: \(known)")
        }
        return try handler.answer(request)
    }

    private func parse(_ bytes: [UInt8]) throws(SondeError) -> JSONValue {
        do throws(JSONError) {
            return try JSONReader.parse(bytes, limits: Self.limits)
        } catch {
            throw SondeError(control: .controlRequestMalformed, "the line is not JSON: \(error)")
        }
    }

    private static func text(_ answer: ControlAnswer) -> [UInt8] {
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
    /// What a person can do, one sentence each.
    var adviceSentences: [String] {
        recovery.compactMap { action in
            guard case .advise(let advice) = action else { return nil }
            return advice
        }
    }
}
