internal import SondeDomain
public import SondeEngine
public import SondeFormats

extension AgentStatus {
    /// Writes the members of the status as docs/spec/control.md has them; what is not known is left out.
    func writeMembers(to json: inout JSONWriter) {
        json.member("time", time: reading.wall)
        json.member("agent", writeAgent)
        if let limits { json.member("limits") { limits.write(to: &$0, at: reading) } }
        json.member("spool") { json in
            json.object { json in
                facts.spool.writeMembers(to: &json)
                if !storageFailures.isEmpty { json.member("errors") { write(storageFailures, to: &$0) } }
            }
        }
        json.member("sources") { write(.source, to: &$0) }
        json.member("sinks") { write(.sink, to: &$0) }
        json.member("losses", losses)
    }

    private func write(_ failures: [InstanceStatus.Failure], to json: inout JSONWriter) {
        json.array { json in
            for failure in failures { failure.write(to: &json, at: reading) }
        }
    }

    private func writeAgent(to json: inout JSONWriter) {
        json.object { json in
            json.member("version", facts.version)
            json.member("pid", Int(facts.processID))
            json.member("id", facts.id)
            json.member(ifKnown: "host", facts.host)
            json.member("started", time: reading.wallTime(of: started))
            json.member(ifKnown: "config", facts.configurationPath)
            if let remote { json.member("remote") { remote.write(to: &$0, at: reading) } }
            if !agentFailures.isEmpty { json.member("errors") { write(agentFailures, to: &$0) } }
        }
    }

    private func write(_ kind: InstanceStatus.Kind, to json: inout JSONWriter) {
        json.array { json in
            for instance in instances where instance.status.kind == kind {
                json.object { instance.writeMembers(to: &$0, at: reading) }
            }
        }
    }
}

extension RemoteStatus {
    fileprivate func write(to json: inout JSONWriter, at reading: ClockReading) {
        json.object { json in
            json.member("url", url)
            json.member("state", state.rawValue)
            json.member(ifKnown: "serial", serial)
            json.member(ifKnown: "good_serial", goodSerial)
            json.member(ifKnown: "failed_serial", failedSerial)
            json.member(ifKnown: "probation_left_ms", probationLeft.map { $0.value / 1_000_000 })
            if !waitsFor.isEmpty { json.member("waits_for", waitsFor) }
            json.member("last_answer", time: lastAnswer.map(reading.wallTime))
            json.member("next_request", time: nextRequest.map(reading.wallTime))
            json.member("requests") { json in
                json.object { json in
                    json.member("unchanged", requests.unchanged)
                    json.member("new", requests.new)
                    json.member("refused", requests.refused)
                    json.member("failed", requests.failed)
                }
            }
        }
    }
}

extension LimitStatus {
    fileprivate func write(to json: inout JSONWriter, at reading: ClockReading) {
        json.object { json in
            json.member("level", level)
            json.member("levels") { json in json.array { json in for step in ladder { json.value(step) } } }
            json.member("saved", steps.map(\.rawValue))
            json.member("since", time: reading.wallTime(of: since))
            if let limit = limits.processors {
                json.member("cpu_limit", limit)
                json.member(ifKnown: "cpu", processors)
            }
            if let limit = limits.memory {
                json.member("memory_limit", limit)
                json.member(ifKnown: "memory", memory)
            }
        }
    }
}

extension AgentStatus.Instance {
    fileprivate func writeMembers(to json: inout JSONWriter, at reading: ClockReading) {
        json.member("id", status.id)
        json.member("plugin", status.plugin)
        json.member("state", status.state.rawValue)
        json.member(ifKnown: "sandbox", status.sandbox?.rawValue)
        json.member(ifKnown: "limits", status.limits?.rawValue)
        json.member("since", time: reading.wallTime(of: status.since))
        json.member("last_success", time: status.lastSuccess.map(reading.wallTime))
        json.member("next_attempt", time: status.nextAttempt.map(reading.wallTime))
        if let failure = status.failure { json.member("error") { failure.write(to: &$0, at: reading) } }
        if let hang = status.hang { json.member("hang") { hang.write(to: &$0, at: reading) } }
        if !status.troubles.isEmpty {
            json.member("troubles") { json in
                json.array { json in for trouble in status.troubles { trouble.write(to: &json, at: reading) } }
            }
        }
        let rejections = status.rejections.rows
        if !rejections.isEmpty {
            json.member("rejected") { json in
                json.array { json in
                    for (key, count) in rejections {
                        json.object { json in
                            json.member("what", key.subject.rawValue)
                            json.member("metric", key.metric)
                            json.member("reason", key.reason)
                            json.member("count", count)
                        }
                    }
                }
            }
        }
        switch status.kind {
        case .source: writeSourceMembers(to: &json)
        case .sink: writeSinkMembers(to: &json, at: reading)
        }
    }

    private func writeSourceMembers(to json: inout JSONWriter) {
        json.member("collections", status.collection.collections)
        json.member("samples", status.samples)
        json.member("failures", status.collection.failures)
        json.member("missed", status.collection.missedTicks)
        json.member("overruns", status.collection.overruns)
    }

    private func writeSinkMembers(to json: inout JSONWriter, at reading: ClockReading) {
        let delivery = status.delivery
        json.member("attempts", delivery.deliveredBatches &+ delivery.failedAttempts)
        json.member("failures", delivery.failedAttempts)
        json.member("batches", delivery.deliveredBatches)
        json.member("points", delivery.deliveredPoints)
        json.member("refused", delivery.refusedPoints)
        json.member("dead_lettered", delivery.deadLetteredPoints)
        json.member("replayed", status.replayedPoints)
        guard let backlog else { return }
        json.member("queue") { json in
            json.object { backlog.writeMembers(to: &$0, at: reading) }
        }
    }
}

extension InstanceStatus.Failure {
    fileprivate func write(to json: inout JSONWriter, at reading: ClockReading) {
        json.object { json in
            json.member("code", error.code.text)
            json.member("class", error.failureClass.name)
            json.member("stage", error.stage.rawValue)
            json.member("message", error.message)
            if let option = error.optionPath { json.member("option", option) }
            if let place = error.place { json.member("place", place.description) }
            if !error.cause.isEmpty { json.member("cause", error.cause) }
            if !error.advice.isEmpty { json.member("recovery", error.advice) }
            if let asked = error.retryAfter { json.member("retry_after_ms", asked.value / 1_000_000) }
            json.member("since", time: reading.wallTime(of: since))
            json.member("last", time: reading.wallTime(of: last))
            json.member("count", count)
            json.member("ended", time: ended.map(reading.wallTime))
        }
    }
}

extension AgentFacts.Spool {
    func writeMembers(to json: inout JSONWriter) {
        json.member("kind", kind.rawValue)
        json.member("max_bytes", maxBytes)
        json.member("overflow", overflow.rawValue)
        json.member("epoch", epoch)
    }
}

extension Backlog {
    func writeMembers(to json: inout JSONWriter, at reading: ClockReading) {
        json.member("points", count)
        json.member("bytes", bytes)
        json.member("oldest", time: oldest.map(reading.wallTime))
    }
}

extension LossLedger.Entry: JSONWritable {
    /// Writes what was lost by one component for one reason.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("component", component)
            json.member("reason", reason)
            json.member(ifKnown: "count", count)
            json.member("reports", reports)
            json.member("from", time: from)
            json.member("to", time: to)
        }
    }
}

extension JSONWriter {
    /// Writes a member unless its value is not known.
    mutating func member(ifKnown key: String, _ value: (some JSONWritable)?) {
        if let value { member(key, value) }
    }

    /// Writes an instant as RFC 3339 unless it is not known.
    mutating func member(_ key: String, time: Timestamp?) {
        guard let time else { return }
        var text = ByteBuffer()
        text.append(time: time)
        member(key, String(decoding: text.bytes, as: UTF8.self))
    }
}
