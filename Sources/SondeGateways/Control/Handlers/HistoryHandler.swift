public import SondeDomain
public import SondeEngine
public import SondeFormats

/// `history`: the values of series over a range of time.
public final class HistoryHandler: SlowControlHandler {
    private static let pageBound = 8

    /// `history`.
    public let request = "history"
    /// It changes nothing.
    public let permission = ControlPermission.read
    private let history: HistoryOf
    private let clock: any Clock

    /// A handler for what `record` keeps.
    public init(_ record: RecordHistory, clock: any Clock) {
        history = HistoryOf(record)
        self.clock = clock
    }

    /// The series after `after`, each with its points and their summary.
    public func answer(_ request: JSONValue) throws(SondeError) -> ControlAnswer {
        let arguments = HistoryArguments(request, at: clock.wallTime)
        let query = try arguments.query()
        let limit = try ControlArguments(request).limit(Self.pageBound)
        let page = try history(query, after: try arguments.lastSeries(), limit: limit)
        return ControlAnswer("history") { json in
            json.object { json in
                json.member("from", time: query.range.from)
                json.member("to", time: query.range.to)
                if let plan = query.plan { json.member("step_seconds", plan.step.seconds) }
                json.member("items", page.lines)
                guard let next = page.next else { return }
                json.member("next") { json in json.object { next.writePlace(to: &$0, asked: query.asked) } }
            }
        }
    }
}

extension HistoryLine: JSONWritable {
    /// Writes the series with its points and their summary.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            writeSeries(to: &json)
            json.member("step_seconds", step.seconds)
            if let first = points.first?.value {
                let all = points.dropFirst().reduce(first) { $0.merging($1.value) }
                json.member("summary") { json in json.object { all.writeMembers(to: &$0) } }
            }
            json.member("points") { json in
                json.array { json in
                    for point in points {
                        json.object { json in
                            json.member("time", time: point.time)
                            point.value.writeMembers(to: &json)
                        }
                    }
                }
            }
        }
    }
}
