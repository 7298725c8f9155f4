public import SondeDomain
public import SondeEngine
public import SondeFormats

/// `export`: history as the text of a file, piece by piece.
public final class ExportHandler: SlowControlHandler {
    /// `export`.
    public let request = "export"
    /// It changes nothing.
    public let permission = ControlPermission.read
    private let export: ExportHistory
    private let clock: any Clock

    /// A handler for what `record` keeps; `host` is on every point of formats that have labels.
    public init(_ record: RecordHistory, host: String?, clock: any Clock) {
        export = ExportHistory(record, host: host)
        self.clock = clock
    }

    /// The piece after `after`; the pieces one behind the other are the file.
    public func answer(_ request: JSONValue) throws(SondeError) -> ControlAnswer {
        let arguments = HistoryArguments(request, at: clock.wallTime)
        let query = try arguments.query()
        let page = try export(query, try arguments.format(), after: try arguments.cursor())
        return ControlAnswer("export") { json in
            json.object { json in
                json.member("done", page.done)
                json.member("count", page.count)
                json.member("text", String(decoding: page.bytes, as: UTF8.self))
                guard let next = page.next else { return }
                json.member("next") { json in
                    json.object { json in
                        next.series.writePlace(to: &json, asked: query.asked)
                        if let statistic = next.statistic { json.member("statistic", statistic.rawValue) }
                        json.member("family", next.family)
                        json.member("points", next.hasPoints)
                    }
                }
            }
        }
    }
}
