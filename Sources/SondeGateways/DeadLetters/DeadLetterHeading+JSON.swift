internal import SondeDomain
internal import SondeEngine
internal import SondeFormats

extension DeadLetterHeading {
    static let version = 1
    static let schema = "sonde.dead_letter/\(version)"

    /// The heading of a batch that was refused.
    init(_ batch: Batch, because error: SondeError, at time: Timestamp) {
        let times = batch.entries.map(\.point.time) + batch.documents.map(\.time)
        self.init(
            sink: batch.sink,
            batch: batch.identity.text,
            time: time,
            code: error.code.text,
            failureClass: error.failureClass.name,
            message: error.message,
            points: UInt64(batch.entries.count),
            documents: UInt64(batch.documents.count),
            from: times.min(),
            to: times.max()
        )
    }

    /// The heading in an object; nil when it is not one.
    init?(_ json: JSONValue) {
        guard json["schema"]?.asString == Self.schema, let sink = json["sink"]?.asString,
            let batch = json["batch"]?.asString
        else { return nil }
        self.init(
            sink: sink,
            batch: batch,
            time: json["time"]?.asString.flatMap(InstantText.parse),
            code: json["code"]?.asString ?? "",
            failureClass: json["class"]?.asString ?? "",
            message: json["message"]?.asString ?? "",
            points: json["points"]?.asUInt64,
            documents: json["documents"]?.asUInt64,
            from: json["from"]?.asString.flatMap(InstantText.parse),
            to: json["to"]?.asString.flatMap(InstantText.parse)
        )
    }

    /// Writes the members of the heading's object but its schema.
    func writeMembers(to json: inout JSONWriter) {
        json.member("time", time: time)
        json.member("batch", batch)
        json.member("sink", sink)
        json.member("code", code)
        json.member("class", failureClass)
        json.member("message", message)
        json.member(ifKnown: "points", points)
        json.member(ifKnown: "documents", documents)
        json.member("from", time: from)
        json.member("to", time: to)
    }
}

extension Resource {
    /// The resource of a batch in the object of its heading; what is not there is not known.
    init(_ json: JSONValue) {
        let labels = (json["labels"]?.asObject ?? []).compactMap { label in
            label.value.asString.map { Attribute(label.key, $0) }
        }
        self.init(
            host: json["host"]?.asString, agentVersion: json["agent_version"]?.asString ?? "", labels: labels)
    }

    /// Writes the members that ``init(_:)`` reads.
    func writeMembers(to json: inout JSONWriter) {
        json.member(ifKnown: "host", host)
        if !agentVersion.isEmpty { json.member("agent_version", agentVersion) }
        guard !labels.isEmpty else { return }
        json.member("labels") { json in
            json.object { json in
                for label in labels { json.member(label.name, label.value) }
            }
        }
    }
}

extension BatchIdentity {
    /// The identity that `<agent>/<epoch>/<first>-<last>` spells; nil for any other text.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let numbers = parts[2].split(separator: "-", omittingEmptySubsequences: false)
        guard numbers.count == 2, let first = UInt64(numbers[0]), let last = UInt64(numbers[1]), first <= last else {
            return nil
        }
        self.init(agent: String(parts[0]), epoch: String(parts[1]), first: first, last: last)
    }
}
