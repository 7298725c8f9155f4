internal import SondeDomain
internal import SondeEngine
internal import SondeFormats

/// What a program says in the format `sonde`, beside its samples: docs/spec/exec.md.
enum ProgramMessage {
    /// What was printed since the last one belongs together, and is kept with the program's position.
    case commit(checkpoint: [UInt8]?)
    case log(LogLevel, String)
    case loss(reason: String, count: UInt64?)
    case failure(ReportedFailure)

    /// The message of an object; nil: it has no `type` and is a sample.
    init?(_ object: JSONValue) throws(LineFlaw) {
        guard let type = object["type"] else { return nil }
        switch type.asString {
        case "commit":
            let text = object["checkpoint"]?.asString
            guard text != nil || object["checkpoint"]?.isNull ?? true else { throw LineFlaw("checkpoint is no string") }
            guard text?.utf8.count ?? 0 <= InstanceHost.checkpointLimit else {
                throw LineFlaw("checkpoint has more than \(InstanceHost.checkpointLimit) bytes")
            }
            self = .commit(checkpoint: text.map { Array($0.utf8) })
        case "log":
            let word = object["level"]?.asString ?? LogLevel.info.name
            guard let level = LogLevel.allCases.first(where: { $0.name == word }) else {
                throw LineFlaw("level is none of the four")
            }
            self = .log(level, try Self.text(object, "message", InstanceHost.messageLimit))
        case "loss":
            let count = object["count"]?.asUInt64
            guard count != nil || object["count"]?.isNull ?? true else { throw LineFlaw("count is no count") }
            self = .loss(reason: try Self.text(object, "reason", Loss.reasonLimit), count: count)
        case "error": self = .failure(try ReportedFailure(object))
        default: throw LineFlaw("has an unknown type")
        }
    }

    fileprivate static func text(_ object: JSONValue, _ key: String, _ limit: Int) throws(LineFlaw) -> String {
        guard let text = object[key]?.asString, !text.isEmpty, text.utf8.count <= limit else {
            throw LineFlaw("\(key) has not 1 to \(limit) bytes")
        }
        return text
    }
}

/// A failure in the words of a program.
struct ReportedFailure: Hashable {
    let failureClass: FailureClass
    let message: String
    /// The key of `options` at fault.
    let option: String?
    let retryAfter: Nanoseconds?

    init(_ object: JSONValue) throws(LineFlaw) {
        guard let known = FailureClass(name: object["class"]?.asString ?? FailureClass.transient.name) else {
            throw LineFlaw("class is none that there is")
        }
        failureClass = known
        message = try ProgramMessage.text(object, "message", InstanceHost.messageLimit)
        option = object["option"]?.asString
        retryAfter = object["retry_after"]?.asDouble.flatMap { seconds in
            (0...86_400).contains(seconds) ? Nanoseconds(Int64(seconds * 1e9)) : nil
        }
    }

    /// It as a failure of the instance.
    func error(of component: String, _ stage: SondeError.Stage) -> SondeError {
        SondeError(
            .programReported, stage: stage, class: failureClass, message: message, component: component,
            optionPath: option.map { "options.\($0)" }, retryAfter: retryAfter)
    }
}

/// What a sink's program says of a batch.
enum BatchAnswer {
    /// It has it, but for so many points.
    case taken(rejected: UInt64, reason: String)
    case failed(ReportedFailure)

    /// `ok`, or an object with `rejected` or `error`; where it names a batch, it is about that one only.
    init(_ line: [UInt8], to batch: String) throws(LineFlaw) {
        if line.elementsEqual("ok".utf8) {
            self = .taken(rejected: 0, reason: "")
            return
        }
        let object = try JSONLineReader.object(line[...])
        let named = object["batch"]
        guard named == nil || named?.asString == batch else { throw LineFlaw("is about another batch") }
        if let error = object["error"] {
            self = .failed(try ReportedFailure(error))
            return
        }
        if named != nil, object["rejected"] == nil {
            self = .taken(rejected: 0, reason: "")
            return
        }
        guard let rejected = object["rejected"]?.asInt64, rejected >= 0 else { throw LineFlaw("says nothing known") }
        let reason = object["reason"]?.asString ?? "other"
        guard reason.utf8.count <= Loss.reasonLimit else { throw LineFlaw("has a reason that is too long") }
        self = .taken(rejected: UInt64(rejected), reason: reason)
    }
}
