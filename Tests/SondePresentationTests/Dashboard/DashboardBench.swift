import SondeDomain
import SondeFormats
import SondePresentation
import Testing

/// A dashboard whose clock and agent are the test.
struct DashboardBench {
    private(set) var state: DashboardState
    private(set) var now = MonotonicInstant(nanoseconds: 1_000_000_000)
    /// What was asked and not answered yet.
    private(set) var asked: [DashboardRequest] = []
    /// The pieces of files.
    private(set) var written: [DashboardExport.Piece] = []
    private(set) var hasEnded = false

    /// A dashboard that is open, on a page.
    init(_ tab: DashboardTab = .overview, timing: DashboardTiming = DashboardTiming()) {
        state = DashboardState(timing: timing)
        send(.open)
        if tab != .overview { send(.show(tab)) }
    }

    mutating func send(_ intent: DashboardIntent) {
        for effect in state.reduce(intent, at: now) {
            switch effect {
            case .ask(let request): asked.append(request)
            case .write(let piece): written.append(piece)
            case .end: hasEnded = true
            }
        }
    }

    /// Lets time pass without anything happening, then says so.
    mutating func pass(_ span: Nanoseconds) {
        now = now.advanced(by: span)
        send(.tick)
    }

    /// The last request for something that was not answered yet.
    func request(_ name: String) -> DashboardRequest? { asked.last { $0.name == name } }

    /// Answers the last request of that name with JSON.
    mutating func answer(_ name: String, _ json: String) throws {
        let request = try #require(self.request(name), "nobody asks for \(name)")
        try answer(request, json)
    }

    mutating func answer(_ request: DashboardRequest, _ json: String) throws {
        asked.removeAll { $0.id == request.id }
        send(.answered(request.id, try JSONReader.parse(json)))
    }

    mutating func fail(_ name: String, _ code: ErrorCode, _ message: String = "it failed") throws {
        let request = try #require(self.request(name), "nobody asks for \(name)")
        asked.removeAll { $0.id == request.id }
        send(.failed(request.id, Self.error(code, message)))
    }

    /// Everything that was asked fails: the agent is gone.
    mutating func loseAgent() {
        let all = asked
        asked = []
        for request in all { send(.failed(request.id, Self.error(.controlNotAnswered, "no agent answers"))) }
    }

    /// Answers all that is asked, with little.
    mutating func settle() throws {
        while let request = asked.first {
            switch request.question {
            case .snapshot: try answer(request, Self.snapshot())
            case .status: try answer(request, Self.status)
            case .history(let subject, _): try answer(request, Self.history(subject.metric, subject.member))
            case .courses(let subject, _): try answer(request, Self.history(subject.metric, "eth0"))
            case .changes: try answer(request, Self.changes())
            case .list(let name, _, _): try answer(request, Self.list(name, rows: 3))
            case .export: try answer(request, #"{"done":1,"count":1,"text":"x\n"}"#)
            case .retry: try answer(request, #"{"plugin":"central"}"#)
            }
        }
    }

    static func error(_ code: ErrorCode, _ message: String = "it failed") -> SondeError {
        SondeError(code, stage: .control, class: .transient, message: message, recovery: [.advise("Do it.")])
    }
}

extension DashboardBench {
    /// The instant of a snapshot, so many seconds after another one.
    static func time(_ seconds: Int) -> String {
        let (minute, second) = (seconds / 60 % 60, seconds % 60)
        return
            "2026-01-01T0\(4 + seconds / 3_600):\(minute < 10 ? "0" : "")\(minute):\(second < 10 ? "0" : "")\(second).000Z"
    }

    static func snapshot(_ seconds: Int = 0, receive: Double = 1_200, source: String = "kernel", failures: String = "")
        -> String
    {
        #"""
        {"number":12,"document":{"schema":"sonde.snapshot/1","time":"\#(time(seconds))","host":"edge-1","window":"1h",
         "bandwidth":{"source":"\#(source)","peak_step_seconds":0.1,"uplinks":["eth0"],
          "receive":{"current":\#(receive),"average":900.0,"peak":5000.0,"peak_step_seconds":0.1},
          "transmit":{"current":40.0,"average":30.0,"peak":900.0,"peak_step_seconds":1.0},
          "interfaces":{
           "eth0":{"receive":{"current":\#(receive),"average":900.0,"peak":5000.0,"peak_step_seconds":0.1},
            "transmit":{"current":40.0,"average":30.0,"peak":900.0}},
           "wg0":{"receive":{"current":10.0,"average":90000.0,"peak":91000.0},
            "transmit":{"current":4.0,"average":3.0,"peak":9.0}},
           "lo":{"covered_seconds":3600.0,"receive":{"current":0.0,"average":0.0,"peak":0.0},
            "transmit":{"current":0.0,"average":0.0,"peak":0.0}}}},
         "connections":{"source":"\#(source)","current":3,"average":3.2,"peak":9,
          "by_state":{"age_seconds":12.0,"tcp":{"established":3,"listen":4,"time_wait":0}},
          "by_protocol":{"tcp":3,"udp":2}},
         "dns":{"wire":{"source":"wire","rate":{"current":2.0,"average":1.5,"peak":20.0},"queries":5400,"failures":12,
          "latency":{"p50":0.001,"p95":0.0123,"p99":0.2}}},
         "drops":{"source":"why","packets":1010,"reasons":[{"reason":"socket_rcvbuff","count":991}],
          "beside":[{"counter":"udp_receive_errors","count":991,"top":{"reason":"socket_rcvbuff","count":991,
           "meaning":"the program does not read fast enough","advice":"ss -lunm shows whose buffer is full"}}]},
         "failures":[\#(failures)],"losses":[]}}
        """#
    }

    static let failure = #"""
        {"code":"SND-CRL003","plugin":"central","class":"configuration","since":"2026-01-01T03:59:00.000Z",
         "message":"https://metrics.example.net/: no connection","actions":["retry_now","reconfigure"]}
        """#

    /// A list of that many rows of which `of` are shown from `offset` on.
    static func list(_ name: String, rows: Int, from offset: Int = 0, of count: Int? = nil, next: Int? = nil) -> String
    {
        let items = (offset..<(offset + rows)).map { #"{"label":"row \#($0)","value":\#(10_000 - $0)}"# }
        return #"""
            {"name":"\#(name)","title":"Heaviest","source":"wire","unit":"By","age_seconds":0.4,"interval_seconds":10.0,
             "total":100000,"rest":1020,"count":\#(count ?? rows),"bound":250,"rows":[\#(items.joined(separator: ","))]
             \#(next.map { #","next":\#($0)"# } ?? "")}
            """#
    }

    /// An answer to what has moved: these changes, of 41 series that were compared.
    static func changes(_ items: String = "", moved: Int = 0) -> String {
        #"""
        {"from":"2026-01-01T03:04:00.000Z","to":"2026-01-01T04:04:00.000Z","step_seconds":60.0,"against":"7d",
         "days_kept":6,"compared":41,"unknown":2,"moved":\#(moved),"silent_sources":[],"items":[\#(items)]}
        """#
    }

    static let change = #"""
        {"metric":"connections.tcp","unit":"{connection}","state":"close_wait","source":"kernel\u001b[2J","change":"higher",
         "score":31.4,"value":840.0,"usual":{"median":2.0,"low":0.0,"high":9.0},"basis":"days_before",
         "since":"2026-01-01T03:42:00.000Z","may_be_earlier":false}
        """#

    /// A snapshot with these lists.
    static func snapshot(lists: [String], absent: String = "") -> String {
        snapshot().replacing(
            #""losses":[]"#,
            with: #""lists":[\#(lists.joined(separator: ","))],"absent_lists":[\#(absent)],"losses":[]"#)
    }

    static let status = #"""
        {"time":"2026-01-01T04:00:00.000Z","agent":{"version":"1.2.3","pid":7,"started":"2026-01-01T00:00:00.000Z"},
         "sources":[{"id":"kernel","plugin":"procnet","state":"running","last_success":"2026-01-01T03:59:59.000Z",
          "next_attempt":"2026-01-01T04:00:09.000Z"}],
         "sinks":[
          {"id":"local","plugin":"file","state":"idle","last_success":"2026-01-01T03:59:58.000Z",
           "queue":{"points":12,"bytes":900}},
          {"id":"central","plugin":"http","state":"backing_off","next_attempt":"2026-01-01T04:00:12.000Z",
           "queue":{"points":335,"bytes":26800},
           "error":{"code":"SND-CRL003","class":"configuration","message":"https://metrics.example.net/: no connection",
            "cause":["the route is gone"],"option":"url","place":"/etc/sonde/sonde.yaml:7:5",
            "since":"2026-01-01T03:59:00.000Z","count":88,"recovery":["Check host and port of url."]}}],
         "losses":[{"component":"central","reason":"spool_overflow","count":5000}]}
        """#

    /// An answer with one series of a point every five seconds before 04:00, the last of which is the largest.
    static func history(
        _ metric: HistoryMetric, _ member: String? = nil, points: Int = 3, next: String? = nil
    ) -> String {
        let key = metric.memberName ?? "member"
        let items = (0..<points).map { index in
            let seconds = 3_600 - 5 * (points - index)
            let (minute, second) = (seconds / 60, seconds % 60)
            let time = "2026-01-01T03:\(minute < 10 ? "0" : "")\(minute):\(second < 10 ? "0" : "")\(second).000Z"
            return #"{"time":"\#(time)","average":\#(Double(index + 1))}"#
        }
        let name = member.map { #""\#(key)":"\#($0)","# } ?? ""
        let series =
            points == 0
            ? ""
            : #"{"metric":"\#(metric.rawValue)","unit":"By/s",\#(name)"source":"kernel","step_seconds":5.0,"#
                + #""summary":{"average":2.0,"maximum":3.0,"peak":4.0,"last":3.0},"points":[\#(items.joined(separator: ","))]}"#
        return
            #"{"from":"2026-01-01T03:00:00.000Z","to":"2026-01-01T04:00:00.000Z","step_seconds":5.0,"items":[\#(series)]\#(next.map { #","next":\#($0)"# } ?? "")}"#
    }
}
