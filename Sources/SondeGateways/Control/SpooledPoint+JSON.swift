internal import SondeDomain
public import SondeEngine
public import SondeFormats

extension SpooledPoint: JSONWritable {
    /// Writes the point with what identifies its series, as docs/spec/control.md has it.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", series.id.rawValue)
            json.member("source", series.source)
            json.member("name", series.name)
            json.member("kind", series.kind.name)
            if !series.unit.isEmpty { json.member("unit", series.unit) }
            if !series.attributes.isEmpty {
                json.member("attributes") { json in
                    json.object { json in for pair in series.attributes { json.member(pair.name, pair.value) } }
                }
            }
            json.member("time", time: time)
            value.writeMembers(to: &json)
        }
    }
}

extension SampleValue {
    fileprivate func writeMembers(to json: inout JSONWriter) {
        switch self {
        case .double(let number): json.member("value", number)
        case .signed(let number): json.member("value", number)
        case .unsigned(let number): json.member("value", number)
        case .histogram(let histogram):
            json.member("count", histogram.count)
            if let sum = histogram.sum { json.member("sum", sum) }
            json.member("bounds", histogram.bounds)
            json.member("counts", histogram.counts)
        case .ended: break
        }
    }
}
