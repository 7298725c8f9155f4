internal import SondeDomain
public import SondeFormats

extension StatusState {
    /// The state that an answer to `status` holds; what is missing or of another type is not known.
    public init(_ status: JSONValue) {
        time = status.instant("time")
        version = status["agent"]?["version"]?.asString
        processID = status["agent"]?["pid"]?.asUInt64
        started = status["agent"]?.instant("started")
        configurationPath = status["agent"]?["config"]?.asString
        remote = status["agent"]?["remote"].map(Remote.init)
        agentFailures = (status["agent"]?["errors"]?.asArray ?? []).compactMap(Failure.init)
        limits = status["limits"].map(Limits.init)
        spoolKind = status["spool"]?["kind"]?.asString
        spoolMaxBytes = status["spool"]?["max_bytes"]?.asUInt64
        spoolFailures = (status["spool"]?["errors"]?.asArray ?? []).compactMap(Failure.init)
        let members = (status["sources"]?.asArray ?? []) + (status["sinks"]?.asArray ?? [])
        instances = members.compactMap(Instance.init)
        rejections = members.flatMap { member in
            (member["rejected"]?.asArray ?? []).compactMap { Rejection($0, of: member["id"]?.asString ?? "") }
        }
        losses = (status["losses"]?.asArray ?? []).compactMap(Loss.init)
    }
}

extension StatusState.Limits {
    init(_ json: JSONValue) {
        level = json["level"]?.asUInt64
        levels = (json["levels"]?.asArray ?? []).compactMap(\.asUInt64)
        saved = json.texts("saved")
        since = json.instant("since")
        processors = json["cpu"]?.asDouble
        processorLimit = json["cpu_limit"]?.asDouble
        memory = json["memory"]?.asUInt64
        memoryLimit = json["memory_limit"]?.asUInt64
    }
}

extension StatusState.Instance {
    init?(_ json: JSONValue) {
        guard let id = json["id"]?.asString else { return nil }
        self.id = id
        plugin = json["plugin"]?.asString
        state = json["state"]?.asString
        sandbox = json["sandbox"]?.asString
        limits = json["limits"]?.asString
        lastSuccess = json.instant("last_success")
        nextAttempt = json.instant("next_attempt")
        queue = json["queue"].map(StatusState.Queue.init)
        failures = [json["hang"], json["error"]].compactMap { failure in
            failure.flatMap { $0["ended"] == nil ? StatusState.Failure($0) : nil }
        }
        failures += (json["troubles"]?.asArray ?? []).compactMap(StatusState.Failure.init)
    }
}

extension StatusState.Remote {
    init(_ json: JSONValue) {
        url = json["url"]?.asString ?? ""
        state = json["state"]?.asString
        serial = json["serial"]?.asUInt64
        failedSerial = json["failed_serial"]?.asUInt64
        probationLeft = json["probation_left_ms"]?.asUInt64.map { .milliseconds(Int64(clamping: $0)) }
        waitsFor = json.texts("waits_for")
        lastAnswer = json.instant("last_answer")
        nextRequest = json.instant("next_request")
    }
}

extension StatusState.Queue {
    init(_ json: JSONValue) {
        points = json["points"]?.asUInt64
        bytes = json["bytes"]?.asUInt64
        oldest = json.instant("oldest")
    }
}

extension StatusState.Failure {
    init?(_ json: JSONValue) {
        guard let code = json["code"]?.asString else { return nil }
        self.code = code
        failureClass = json["class"]?.asString
        stage = json["stage"]?.asString
        message = json["message"]?.asString ?? ""
        cause = json.texts("cause")
        since = json.instant("since")
        count = json["count"]?.asUInt64
        recovery = json.texts("recovery")
        option = json["option"]?.asString
        place = json["place"]?.asString
        retryAfter = json["retry_after_ms"]?.asUInt64.map { .milliseconds(Int64(clamping: $0)) }
    }
}

extension StatusState.Rejection {
    init?(_ json: JSONValue, of component: String) {
        guard let what = json["what"]?.asString, let reason = json["reason"]?.asString else { return nil }
        self.component = component
        self.what = what
        self.reason = reason
        metric = json["metric"]?.asString ?? ""
        count = json["count"]?.asUInt64
    }
}

extension StatusState.Loss {
    init?(_ json: JSONValue) {
        guard let component = json["component"]?.asString, let reason = json["reason"]?.asString else { return nil }
        self.component = component
        self.reason = reason
        count = json["count"]?.asUInt64
        to = json.instant("to")
    }
}

extension JSONValue {
    /// A member that is an instant.
    func instant(_ key: String) -> Timestamp? {
        self[key]?.asString.flatMap(TimestampText.parse)
    }

    /// The texts of a member that is an array.
    func texts(_ key: String) -> [String] {
        (self[key]?.asArray ?? []).compactMap(\.asString)
    }
}
