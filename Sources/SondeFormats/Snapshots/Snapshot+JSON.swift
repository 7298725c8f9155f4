public import SondeDomain

extension Snapshot: JSONWritable {
    /// The name of the schema in each document.
    public static let schema = "sonde.snapshot/2"

    /// Writes the document `sonde.snapshot/2`: what is not known is `null`.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("schema", Self.schema)
            json.member("time", Self.text(time))
            json.member("host", host)
            json.member("netns") { json in
                guard let namespace else { return json.null() }
                json.object { json in
                    json.member("name", namespace.name)
                    json.member("inode", namespace.inode)
                }
            }
            json.member("window", DurationText.text(of: window))
            json.member("bandwidth", bandwidth)
            json.member("connections", connections)
            json.member("dns", dns)
            json.member("drops", drops)
            json.member("lists") { json in
                json.array { json in
                    for list in lists { json.object { list.writeMembers(rows: 0..<Self.rowsInDocument, to: &$0) } }
                }
            }
            json.member("absent_lists", absentLists)
            json.member("failures", Array(failures.prefix(Self.failuresInDocument)))
            json.member("failure_count", failures.count)
            json.member("losses", losses)
        }
    }

    /// How many rows of each list a document has; the control socket gives the others.
    public static let rowsInDocument = 10

    /// How many failures a document has; the control socket gives the others.
    public static let failuresInDocument = 100

    /// The document as it is sent to sinks.
    public var document: Document {
        var json = JSONWriter()
        json.value(self)
        return Document(schema: Self.schema, time: time, json: json.bytes)
    }

    fileprivate static func text(_ time: Timestamp) -> String {
        var text = ByteBuffer()
        text.append(time: time)
        return String(decoding: text.bytes, as: UTF8.self)
    }
}

extension CurrentAveragePeak: JSONWritable {
    /// Writes an object of three numbers, and how long the time was that the highest is the average of.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("current", current)
            json.member("average", average)
            json.member("peak", peak)
            json.member("peak_step_seconds", peakStep?.seconds)
        }
    }
}

extension Snapshot.Flow: JSONWritable {
    /// Writes both directions.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("covered_seconds", covered.seconds)
            writeMembers(to: &json)
        }
    }

    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.member("receive", receive)
        json.member("transmit", transmit)
    }
}

extension Snapshot.Bandwidth: JSONWritable {
    /// Writes the total of the uplinks, then each interface by name.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("source", source)
            json.member("age_seconds", age.seconds)
            json.member("covered_seconds", covered.seconds)
            json.member("peak_step_seconds", peakStep?.seconds)
            json.member("uplinks", uplinks)
            (total ?? Snapshot.Flow()).writeMembers(to: &json)
            json.member("interfaces") { json in
                json.object { json in
                    for (name, flow) in interfaces.sorted(by: { $0.key < $1.key }) { json.member(name, flow) }
                }
            }
            json.member("coverage", coverage)
        }
    }
}

extension Snapshot.Connections: JSONWritable {
    /// Writes the total, then states and protocols.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("source", source)
            json.member("age_seconds", age.seconds)
            json.member("covered_seconds", covered.seconds)
            json.member("current", count: total.current)
            json.member("average", total.average)
            json.member("peak", count: total.peak)
            json.member("peak_step_seconds", total.peakStep?.seconds)
            json.member("by_state") { json in
                guard !states.isEmpty else { return json.null() }
                json.object { json in
                    json.member("age_seconds", statesAge?.seconds)
                    for (name, counts) in states.sorted(by: { $0.key < $1.key }) {
                        json.member(name) { $0.counts(counts) }
                    }
                }
            }
            json.member("state_peaks") { json in
                json.object { json in
                    for (name, peaks) in statePeaks.sorted(by: { $0.key < $1.key }) {
                        json.member(name) { $0.counts(peaks) }
                    }
                }
            }
            json.member("by_protocol") { json in
                json.object { json in
                    for name in ["tcp", "udp"] { json.member(name, count: protocols[name]) }
                }
            }
        }
    }
}

extension Snapshot.DNSPart: JSONWritable {
    /// Writes rate, counts and latencies of the window.
    public func write(to json: inout JSONWriter) {
        json.object { writeMembers(to: &$0) }
    }

    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.member("source", source)
        json.member("age_seconds", age.seconds)
        json.member("covered_seconds", covered.seconds)
        json.member("rate", rate)
        json.member("queries", count: queries)
        json.member("responses", count: responses)
        json.member("failures", count: failures)
        json.member("unanswered", count: unanswered)
        json.member("latency") { json in
            json.object { json in
                json.member("p50", latencies?.quantile(0.5))
                json.member("p95", latencies?.quantile(0.95))
                json.member("p99", latencies?.quantile(0.99))
            }
        }
        json.member("rcode") { json in
            guard let codes else { return json.null() }
            json.counts(codes)
        }
    }
}

extension Snapshot.DNS: JSONWritable {
    /// Writes what the wire shows, what the log contains, and the best of both with where each figure is from.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("wire", wire)
            json.member("log", log)
            json.member("joined") { json in
                guard let joined else { return json.null() }
                json.object { json in
                    joined.writeMembers(to: &json)
                    json.member("sources") { writeSources(to: &$0) }
                }
            }
            json.member("coverage", coverage)
        }
    }

    private func writeSources(to json: inout JSONWriter) {
        json.object { json in
            for figure in Figure.allCases { json.member(figure.rawValue, figures[figure]?.rawValue) }
        }
    }
}

extension Snapshot.Coverage: JSONWritable {
    /// Writes the share and why it is off or not known.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("ratio", ratio)
            json.member("cause", cause?.rawValue)
        }
    }
}

extension Snapshot.Drops: JSONWritable {
    /// Writes why packets were dropped, and what others count as dropped.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("source", source)
            json.member("age_seconds", age.seconds)
            json.member("covered_seconds", covered.seconds)
            json.member("packets", count: packets)
            json.member("reasons", reasons)
            json.member("beside", beside)
            json.member("coverage", coverage)
        }
    }
}

extension Snapshot.Drops.Reason: JSONWritable {
    /// Writes the reason and its count.
    public func write(to json: inout JSONWriter) {
        json.object { writeMembers(to: &$0) }
    }

    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.member("reason", name)
        json.member("count", count: count)
    }
}

extension Snapshot.Drops.Beside: JSONWritable {
    /// Writes the counter and the reason that fits best, with what it means and what to try.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("counter", counter.rawValue)
            json.member("count", count: count)
            json.member("top") { json in
                guard let reason else { return json.null() }
                let known = DropAdvice(on: reason.name)
                json.object { json in
                    reason.writeMembers(to: &json)
                    json.member("meaning", known?.meaning)
                    json.member("advice", known?.advice)
                }
            }
        }
    }
}

extension Snapshot.Failure: JSONWritable {
    /// Writes what is broken and what can be done.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("code", code.text)
            json.member("plugin", instance)
            json.member("class", failureClass.name)
            json.member("since", Snapshot.text(since))
            json.member("message", message)
            json.member("next_attempt", nextAttempt.map(Snapshot.text))
            json.member("actions", actions.map(\.rawValue))
            json.member("advice", advice)
        }
    }
}

extension Loss: JSONWritable {
    /// Writes what was lost by one component for one reason.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("component", component)
            json.member("reason", reason)
            json.member("count", count)
            json.member("from", from.map(Snapshot.text))
            json.member("to", to.map(Snapshot.text))
        }
    }
}

extension JSONWriter {
    /// Writes an object of counts by name.
    fileprivate mutating func counts(_ counts: [String: Double]) {
        object { json in
            for (name, number) in counts.sorted(by: { $0.key < $1.key }) { json.member(name, count: number) }
        }
    }

    /// Writes a count without decimals, where it has none.
    fileprivate mutating func member(_ key: String, count: Double?) {
        guard let count, let whole = Int64(exactly: count) else { return member(key, count) }
        member(key, whole)
    }
}
