import SondeDomain
import SondeFormats
import Testing

@Suite struct SnapshotDocumentTests {
    private func text(_ snapshot: Snapshot) -> String {
        var json = JSONWriter()
        json.value(snapshot)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func filled() -> Snapshot {
        var snapshot = Snapshot(time: Timestamp(seconds: 1_767_225_600), host: "h", window: .seconds(3_600))
        var window = SourceWindow()
        let reading = { (metric: HistoryMetric, member: String?, value: Double) in
            HistoryCollector.Reading(
                series: HistorySeries(metric, member: member, source: "kernel"), rank: .standard,
                observation: HistoryObservation(
                    .held(value, peak: nil), at: Timestamp(seconds: 1_767_225_600), held: .seconds(1)))
        }
        window.take(
            [
                reading(.bandwidthReceive, "eth0", 10), reading(.bandwidthReceive, nil, 10),
                reading(.connectionsTCP, "listen", 1), reading(.connectionsTCP, "established", 2),
                reading(.connectionsTCP, "connected", 2),
                reading(.dnsQueries, nil, 4),
            ],
            [
                .init(.uplink("eth0"), value: 1, held: .zero), .init(.dns(.log), value: 4, held: .seconds(1)),
                .init(.namespace(.init(name: "self", inode: 4_026_531_840)), value: 1, held: .zero),
            ], time: Timestamp(seconds: 1_767_225_600), at: MonotonicInstant(nanoseconds: 1_000_000_000))
        snapshot.fill(from: ["kernel": window], at: MonotonicInstant(nanoseconds: 1_400_000_000))
        return snapshot
    }

    @Test func whatIsNotKnownIsNull() {
        let snapshot = Snapshot(time: Timestamp(seconds: 1_767_225_600), host: nil, window: .seconds(3_600))
        let absent = TopListDefinition.all.map {
            #"{"name":"\#($0.name)","title":"\#($0.title)","needs":"\#($0.needs)"}"#
        }.joined(separator: ",")
        #expect(
            text(snapshot)
                == #"{"schema":"sonde.snapshot/2","time":"2026-01-01T00:00:00.000Z","host":null,"netns":null,"window":"1h","bandwidth":null,"connections":null,"dns":null,"drops":null,"lists":[],"absent_lists":[\#(absent)],"failures":[],"failure_count":0,"losses":[]}"#
        )
    }

    @Test func theDocumentHasTheMembersOfItsSchemaInTheirOrder() throws {
        let document = try JSONReader.parse(text(filled()))
        #expect(document["netns"]?["inode"]?.asUInt64 == 4_026_531_840)
        #expect(
            document["bandwidth"]?.asObject?.map(\.key) == [
                "source", "age_seconds", "covered_seconds", "peak_step_seconds", "uplinks", "receive", "transmit",
                "interfaces",
                "coverage",
            ])
        #expect(document["bandwidth"]?["age_seconds"]?.asDouble == 0.4)
        #expect(document["bandwidth"]?["receive"]?["current"]?.asDouble == 10)
        #expect(document["bandwidth"]?["transmit"]?["current"]?.isNull == true)
        #expect(
            document["connections"]?.asObject?.map(\.key) == [
                "source", "age_seconds", "covered_seconds", "current", "average", "peak", "peak_step_seconds",
                "by_state",
                "state_peaks", "by_protocol",
            ])
        #expect(document["connections"]?["covered_seconds"]?.asDouble == 1)
        #expect(document["connections"]?["current"]?.asDouble == 2)
        #expect(document["connections"]?["by_state"]?["tcp"]?["established"]?.asDouble == 2)
        #expect(document["dns"]?["wire"]?.isNull == true)
        #expect(
            document["dns"]?["joined"]?.asObject?.map(\.key) == [
                "source", "age_seconds", "covered_seconds", "rate", "queries", "responses", "failures", "unanswered",
                "latency", "rcode", "sources",
            ])
        #expect(document["dns"]?["joined"]?["source"]?.asString == "log")
        #expect(document["dns"]?["joined"]?["sources"]?["queries"]?.asString == "log")
        #expect(document["dns"]?["joined"]?["sources"]?["latency"]?.isNull == true)
        #expect(document["dns"]?["log"]?["source"]?.asString == "kernel")
        #expect(document["dns"]?["log"]?["rcode"]?.isNull == true)
        #expect(document["dns"]?["coverage"]?.isNull == true)
    }

    @Test func dropsHaveTheirReasonsAndWhatIsCountedBesideThem() {
        var snapshot = Snapshot(time: Timestamp(seconds: 1_767_225_600), host: nil, window: .seconds(3_600))
        var reasons = DropReasons(window: .seconds(3_600))
        let instant = { (seconds: Int64) in MonotonicInstant(nanoseconds: seconds * 1_000_000_000) }
        let reading = { (fact: SnapshotFact, rate: Double) in
            SourceWindow.FactReading(fact, value: rate, held: .seconds(1))
        }
        for second: Int64 in 1...4 {
            let (last, now) = (instant(second - 1), instant(second))
            reasons.take([reading(.dropReason("socket_rcvbuff"), 3)], of: "why", since: last, at: now)
            let counters = [reading(.dropCounter(.udpReceive), 3), reading(.dropCounter(.interface), 5)]
            reasons.take(counters, of: "kernel", since: last, at: now)
        }
        snapshot.fill(from: [:], nil, reasons, at: instant(5))
        let known = DropAdvice(on: "socket_rcvbuff")
        let (meaning, advice) = (known?.meaning ?? "", known?.advice ?? "")
        #expect(meaning == "the program does not read fast enough")
        #expect(
            text(snapshot).contains(
                #""drops":{"source":"why","age_seconds":1.0,"covered_seconds":5.0,"packets":12,"reasons":[{"reason":"socket_rcvbuff","count":12}],"beside":[{"counter":"interface_dropped","count":20,"top":null},{"counter":"udp_receive_errors","count":12,"top":{"reason":"socket_rcvbuff","count":12,"meaning":"\#(meaning)","advice":"\#(advice)"}}],"coverage":{"ratio":0.375,"cause":"unexplained"}},"lists""#
            ), "\(text(snapshot))")
    }

    @Test func countsHaveNoDecimalsAndMeansHave() {
        let text = text(filled())
        #expect(text.contains(#""current":2,"average":2.0,"peak":2,"peak_step_seconds":1.0,"#))
        #expect(text.contains(#""tcp":{"established":2,"listen":1}"#))
        #expect(text.contains(#""state_peaks":{"tcp":{"established":2,"listen":1}}"#))
        #expect(text.contains(#""receive":{"current":10.0,"#))
    }

    @Test func aCoverageThatIsNotKnownHasItsCause() {
        var snapshot = filled()
        snapshot.bandwidth?.coverage = Snapshot.Coverage(ratio: nil, cause: .filter)
        #expect(text(snapshot).contains(#""coverage":{"ratio":null,"cause":"filter"}}"#))
        snapshot.bandwidth?.coverage = Snapshot.Coverage(ratio: 0.999) { .unexplained }
        #expect(text(snapshot).contains(#""coverage":{"ratio":0.999,"cause":null}}"#))
    }

    @Test func aFailureAndALossAreWrittenWhole() throws {
        var snapshot = filled()
        snapshot.failures = [
            Snapshot.Failure(
                code: ErrorCode("SND-CRL003"), instance: "central", failureClass: .transient,
                since: Timestamp(seconds: 1_767_225_600), message: "down", nextAttempt: nil,
                actions: [.retryNow, .reconfigure], advice: ["Look."])
        ]
        snapshot.losses = [Loss(reason: "kernel_drop", component: "wire", count: 3)]
        let text = text(snapshot)
        #expect(
            text.contains(
                #""failures":[{"code":"SND-CRL003","plugin":"central","class":"transient","since":"2026-01-01T00:00:00.000Z","message":"down","next_attempt":null,"actions":["retry_now","reconfigure"],"advice":["Look."]}],"failure_count":1,"losses""#
            ))
        #expect(
            text.hasSuffix(#""losses":[{"component":"wire","reason":"kernel_drop","count":3,"from":null,"to":null}]}"#))
    }

    @Test func aListHasItsFirstRowsAndHowManyThereAre() throws {
        var snapshot = Snapshot(time: Timestamp(seconds: 1_767_225_600), host: nil, window: .seconds(3_600))
        let rows = (1...12).map {
            TopList.Row(label: "a\u{1b}\($0)", attributes: [Attribute("client.address", "a")], value: 20 - Double($0))
        }
        snapshot.lists = [
            TopList(
                name: "dns.clients", title: "DNS clients", unit: "{query}", source: "wire", age: .milliseconds(500),
                interval: .seconds(10), rows: rows, count: 300, rest: 7.5, total: 169.5)
        ]
        let document = try JSONReader.parse(text(snapshot))
        let list = try #require(document["lists"]?.asArray?.first)
        #expect(
            list.asObject?.map(\.key) == [
                "name", "title", "source", "unit", "age_seconds", "interval_seconds", "total", "rest", "count", "bound",
                "rows",
            ])
        #expect(list["rows"]?.asArray?.count == Snapshot.rowsInDocument)
        #expect(list["count"]?.asInt64 == 300)
        #expect(text(snapshot).contains(#"{"label":"a\u001b1","value":19,"attributes":{"client.address":"a"}}"#))
        #expect(document["absent_lists"]?.asArray?.contains { $0["name"]?.asString == "dns.clients" } == false)
    }

    @Test func theDocumentHasATable() {
        var board = SnapshotBoard()
        board.take(Array(text(filled()).utf8))
        #expect(board.page.views.map(\.domain) == ["bandwidth", "connections", "dns"])
        #expect(board.notes.isEmpty)
        let lines = TableView.lines(board, size: .unbounded).map { $0.spans.map(\.text).joined() }
        #expect(lines.contains { $0.hasPrefix("total eth0") })
        #expect(lines.contains { $0.contains("connected") && $0.contains("2") })
        #expect(lines.contains { $0.hasPrefix("joined") })
    }

    @Test(arguments: [
        #"{"schema":"sonde.snapshot/1","bandwidth":[],"connections":7,"dns":"x"}"#,
        #"{"schema":"sonde.snapshot/1","bandwidth":{"interfaces":[1],"uplinks":{}},"connections":{"by_state":[]},"dns":{"wire":1,"log":[],"joined":{"rate":9}}}"#,
        #"{"schema":"sonde.snapshot/1","bandwidth":{"interfaces":{"\u001b[2J":{"receive":{"current":1e308}}},"uplinks":["\u0007"]}}"#,
    ])
    func aHostileDocumentHasATableWithoutHarm(json: String) {
        var board = SnapshotBoard()
        board.take(Array(json.utf8))
        for line in TableView.lines(board, size: .unbounded) {
            #expect(line.spans.allSatisfy { $0.text.unicodeScalars.allSatisfy { $0.value >= 0x20 } })
        }
    }
}
