internal import SondeDomain
internal import SondeFormats

/// Requests and answers of the control socket, as a client writes and reads them.
enum ControlMessage {
    /// The longest answer that is read, in bytes.
    static let answerLimit = 16 << 20

    /// A request with its members, as a line.
    static func request(_ name: String, _ members: [JSONValue.Member]) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("request", name)
            for member in members { json.member(member.key, member.value) }
        }
        return json.bytes + [0x0a]
    }

    /// The answer on a line; throws what the agent answers instead.
    static func answer(_ line: [UInt8], from path: String) throws(SondeError) -> JSONValue {
        let answer = try parse(line, from: path)
        guard answer["ok"]?.asBool == true else { throw failure(answer["error"], from: path) }
        return answer
    }

    private static func parse(_ line: [UInt8], from path: String) throws(SondeError) -> JSONValue {
        do throws(JSONError) {
            return try JSONReader.parse(line)
        } catch {
            throw unreadable("it is not JSON: \(error)", from: path)
        }
    }

    private static func failure(_ error: JSONValue?, from path: String) -> SondeError {
        guard let code = error?["code"]?.asString, let message = error?["message"]?.asString else {
            return unreadable("it is neither an answer nor an error", from: path)
        }
        let name = error?["class"]?.asString
        return SondeError(
            ErrorCode(code),
            stage: .control,
            class: FailureClass.allCases.first { $0.name == name } ?? .programmer,
            message: message,
            recovery: (error?["recovery"]?.asArray ?? []).compactMap { $0.asString.map(RecoveryAction.advise) }
        )
    }

    static func unreadable(_ what: String, from path: String) -> SondeError {
        SondeError(control: .controlAnswerUnreadable, "the answer from '\(path)' cannot be read: \(what)")
    }
}
