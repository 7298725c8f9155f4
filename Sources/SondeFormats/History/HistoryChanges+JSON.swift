public import SondeDomain

extension HistoryChanges {
    /// Writes the members of an answer with the first `limit` changes; what is not known is left out.
    public func writeMembers(to json: inout JSONWriter, limit: Int) {
        json.member("from", HistoryChange.text(range.from))
        json.member("to", HistoryChange.text(range.to))
        json.member("step_seconds", step.seconds)
        json.member("against", reference.rawValue)
        json.member("days_kept", UInt64(max(0, daysKept)))
        json.member("compared", UInt64(max(0, compared)))
        json.member("unknown", UInt64(max(0, unknown)))
        json.member("moved", UInt64(changes.count))
        json.member("silent_sources", silentSources)
        json.member("items", Array(changes.prefix(max(0, limit))))
    }
}

extension HistoryChange: JSONWritable {
    /// Writes the change as an object; what is not known is left out.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("metric", series.metric.rawValue)
            json.member("unit", series.metric.unit)
            if let name = series.metric.memberName, let member = series.member { json.member(name, member) }
            json.member("source", series.source)
            json.member("change", direction.rawValue)
            json.member("score", score)
            if let value { json.member("value", value) }
            if let usual {
                json.member("usual") { json in
                    json.object { json in
                        json.member("median", usual.median)
                        json.member("low", usual.low)
                        json.member("high", usual.high)
                    }
                }
            }
            json.member("basis", basis.rawValue)
            json.member("since", Self.text(begin))
            json.member("may_be_earlier", mayBeEarlier)
            if let end { json.member("until", Self.text(end)) }
        }
    }

    fileprivate static func text(_ time: Timestamp) -> String {
        var buffer = ByteBuffer()
        buffer.append(time: time)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }
}
