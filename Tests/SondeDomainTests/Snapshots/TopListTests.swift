import SondeDomain
import Testing

/// The heaviest of what a source ranks, as its series say.
@Suite struct TopListTests {
    private static let peers = "sonde.flow.top.peer.interval.io"
    private let lists: [String: TopListDefinition]

    init() {
        lists = TopListDefinition.lists(of: [
            MetricDefinition(
                "acme.shelf", .gauge, unit: "{box}", attributes: ["shelf", "sonde.top"], meaning: "Boxes."),
            MetricDefinition("acme.plain", .gauge, unit: "1", attributes: ["shelf"], meaning: "No list."),
        ])
    }

    private func instant(_ seconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
    }

    private func reading(
        _ metric: String, _ number: UInt64, _ value: Double, kind: MetricKind = .gauge, unit: String = "By",
        _ attributes: [String: String]
    ) throws -> TopListWindow.Reading {
        let series = Series(
            id: SeriesID(rawValue: number), source: "wire", name: metric, kind: kind, unit: unit,
            attributes: attributes.map { Attribute($0.key, $0.value) })
        return .init(try #require(lists[metric]), series, value: value)
    }

    private func peer(_ number: UInt64, _ address: String, _ value: Double) throws -> TopListWindow.Reading {
        try reading(Self.peers, number, value, ["network.peer.address": address])
    }

    private func rest(_ value: Double) throws -> TopListWindow.Reading {
        try reading(Self.peers, 1_000_000, value, ["sonde.top": "other"])
    }

    private func snapshot(_ sources: [String: SourceWindow], at second: Int64) -> Snapshot {
        var snapshot = Snapshot(time: Timestamp(seconds: second), host: nil, window: .seconds(3_600))
        snapshot.fill(from: sources, at: instant(second))
        return snapshot
    }

    private func take(_ window: inout SourceWindow, _ readings: [TopListWindow.Reading], at second: Int64) {
        window.take([], [], readings, time: Timestamp(seconds: second), at: instant(second))
    }

    @Test func theHeaviestComeFirstAndTheSumIsWhatThereWas() throws {
        var window = SourceWindow()
        take(&window, [try peer(1, "192.0.2.1", 10), try peer(2, "192.0.2.2", 30), try rest(5)], at: 10)
        let list = try #require(snapshot(["wire": window], at: 12).lists.first)
        #expect(list.name == "talkers.addresses")
        #expect(list.source == "wire")
        #expect(list.unit == "By")
        #expect(list.rows.map(\.label) == ["192.0.2.2", "192.0.2.1"])
        #expect(list.rows.map(\.value) == [30, 10])
        #expect(list.rows.first?.attributes == [Attribute("network.peer.address", "192.0.2.2")])
        #expect((list.count, list.rest, list.total) == (2, 5, 45))
        #expect(list.age == .seconds(2))
        #expect(list.interval == nil)
    }

    @Test func theNextIntervalReplacesTheOneBefore() throws {
        var window = SourceWindow()
        take(&window, [try peer(1, "192.0.2.1", 10), try peer(2, "192.0.2.2", 30), try rest(5)], at: 10)
        window.forget(ranked: [SeriesID(rawValue: 2)])
        take(&window, [try peer(1, "192.0.2.1", 7), try peer(3, "192.0.2.3", 8), try rest(0)], at: 20)
        let list = try #require(snapshot(["wire": window], at: 20).lists.first)
        #expect(list.rows.map(\.label) == ["192.0.2.3", "192.0.2.1"])
        #expect((list.rest, list.total) == (0, 15))
        #expect(list.interval == .seconds(10))
    }

    @Test func intervalsInWhichNothingWasToBeRankedAreNotCountedTogether() throws {
        var window = SourceWindow()
        let quiet = SourceWindow.FactReading(.captureFiltered, value: 0, held: .zero)
        take(&window, [try peer(1, "192.0.2.1", 10), try rest(5)], at: 10)
        window.forget(ranked: [SeriesID(rawValue: 1)])
        for second: Int64 in [20, 30] {
            window.take([], [quiet], time: Timestamp(seconds: second), at: instant(second))
        }
        take(&window, [try peer(2, "192.0.2.2", 7), try rest(0)], at: 40)
        #expect(snapshot(["wire": window], at: 40).lists.first?.interval == .seconds(10))
        // A list that is reported rarely is of all the time between.
        for second: Int64 in [50, 60] {
            window.take([], [quiet], time: Timestamp(seconds: second), at: instant(second))
        }
        take(&window, [try peer(2, "192.0.2.2", 7), try rest(0)], at: 70)
        #expect(snapshot(["wire": window], at: 70).lists.first?.interval == .seconds(30))
    }

    @Test func equallyHeavyOnesStandInTheOrderOfTheirLabels() throws {
        var window = SourceWindow()
        take(&window, try ["c", "a", "b"].enumerated().map { try peer(UInt64($0.offset + 1), $0.element, 1) }, at: 1)
        #expect(snapshot(["wire": window], at: 1).lists.first?.rows.map(\.label) == ["a", "b", "c"])
    }

    @Test func whatIsBeyondTheBoundIsInTheRest() throws {
        var window = SourceWindow()
        let many = try (1...3_000).map { try peer(UInt64($0), "h\($0)", 2) }
        take(&window, many, at: 1)
        take(&window, many, at: 2)
        let list = try #require(snapshot(["wire": window], at: 2).lists.first)
        #expect(list.rows.count == TopList.bound)
        #expect(list.count == 3_000)
        #expect((list.rest, list.total) == (2.0 * (3_000 - Double(TopList.bound)), 6_000))
    }

    @Test func aListThatNobodyReportsAnyMoreIsNoListOfNow() throws {
        var window = SourceWindow()
        take(&window, [try peer(1, "192.0.2.1", 10)], at: 0)
        #expect(snapshot(["wire": window], at: 150).lists.count == 1)
        #expect(snapshot(["wire": window], at: 151).lists.isEmpty)
        // Of a source that reports it every two minutes it is not that old.
        take(&window, [try peer(1, "192.0.2.1", 10)], at: 120)
        #expect(snapshot(["wire": window], at: 470).lists.count == 1)
    }

    @Test func attributesThatTellNoRowsApartAreAddedUp() throws {
        var window = SourceWindow()
        let cells: [(String, String, Double)] = [("tcp", "receive", 3), ("tcp", "transmit", 4), ("udp", "receive", 5)]
        take(
            &window,
            try cells.enumerated().map { index, cell in
                try reading(
                    "sonde.flow.io", UInt64(index + 1), cell.2, kind: .counter,
                    ["network.transport": cell.0, "network.io.direction": cell.1])
            }, at: 1)
        let list = try #require(snapshot(["wire": window], at: 1).lists.first)
        #expect(list.name == "talkers.protocols")
        #expect(list.rows.map(\.label) == ["tcp", "udp"])
        #expect(list.rows.map(\.value) == [7, 5])
    }

    @Test func cgroupsWithoutANameAreTheRest() throws {
        var window = SourceWindow()
        let metric = "sonde.cgroup.connection.current"
        let readings = try [("ssh.service", 2.0), ("other", 3)].enumerated().map { index, pair in
            try reading(metric, UInt64(index + 1), pair.1, kind: .upDown, ["sonde.cgroup": pair.0])
        }
        take(&window, readings, at: 1)
        take(&window, readings, at: 9)
        let list = try #require(snapshot(["kernel": window], at: 9).lists.first)
        #expect(list.name == "services.connections")
        #expect(list.rows.map(\.label) == ["ssh.service"])
        #expect(list.rest == 3)
        // They are those of the moment, and not of the time between.
        #expect(list.interval == nil)
    }

    @Test(arguments: [
        (
            [
                "client.address": "192.0.2.1", "client.port": "40000", "server.address": "192.0.2.9",
                "server.port": "443",
            ],
            "192.0.2.1:40000 > 192.0.2.9:443 tcp"
        ),
        (
            [
                "client.address": "2001:db8::1", "client.port": "1", "server.address": "2001:db8::2",
                "server.port": "2",
                "sonde.vlan.id": "7",
            ], "[2001:db8::1]:1 > [2001:db8::2]:2 tcp vlan 7"
        ),
        (["client.address": "192.0.2.1", "server.address": "192.0.2.9"], "192.0.2.1 > 192.0.2.9 tcp"),
        ([:], "? > ? tcp"),
    ])
    func aConversationReadsLikeOne(_ attributes: [String: String], _ label: String) throws {
        var window = SourceWindow()
        let all = attributes.merging(["network.transport": "tcp"]) { known, _ in known }
        take(&window, [try reading("sonde.flow.top.conversation.interval.io", 1, 1, all)], at: 1)
        #expect(snapshot(["wire": window], at: 1).lists.first?.rows.map(\.label) == [label])
    }

    @Test func anyPluginHasAListByTheAttributeOfWhatIsLeft() throws {
        #expect(lists["acme.plain"] == nil)
        var window = SourceWindow()
        take(
            &window,
            [
                try reading("acme.shelf", 1, 4, unit: "{box}", ["shelf": "a"]),
                try reading("acme.shelf", 2, 6, unit: "{box}", ["sonde.top": "other"]),
                try peer(3, "192.0.2.1", 1),
            ], at: 1)
        let all = snapshot(["acme": window], at: 1).lists
        // Those that everybody looks for come first.
        #expect(all.map(\.name) == ["talkers.addresses", "acme.shelf"])
        #expect(all.last?.rows.map(\.label) == ["a"])
        #expect(all.last?.rest == 6)
    }

    @Test func aPluginHasNoMoreListsThanTheBound() {
        let metrics = (1...50).map {
            MetricDefinition("acme.m\($0)", .gauge, unit: "1", attributes: ["a", "sonde.top"], meaning: "")
        }
        let further = TopListDefinition.lists(of: metrics).keys.filter { $0.hasPrefix("acme.") }
        #expect(Set(further) == Set((1...TopListDefinition.furtherBound).map { "acme.m\($0)" }))
    }

    @Test func hostileTextIsBoundedAndDifferentRowsStayDifferent() throws {
        var window = SourceWindow()
        let long = String(repeating: "é", count: 500)
        take(&window, [try peer(1, long + "1", 2), try peer(2, long + "2", 1), try peer(3, "", .infinity)], at: 1)
        let list = try #require(snapshot(["wire": window], at: 1).lists.first)
        #expect(list.rows.count == 3)
        for row in list.rows.suffix(2) {
            #expect(row.label.utf8.count <= TopList.textBound + 3)
            #expect(row.label.hasSuffix("é…"))
            #expect(row.attributes.allSatisfy { $0.value.utf8.count <= TopList.textBound + 3 })
        }
    }

    @Test func aCharacterThatCrossesTheBoundIsLeftOut() throws {
        var window = SourceWindow()
        take(&window, [try peer(1, "x" + String(repeating: "é", count: 500), 1)], at: 1)
        let row = try #require(snapshot(["wire": window], at: 1).lists.first?.rows.first)
        let cut = "x" + String(repeating: "é", count: 255) + "…"
        #expect(row.label == cut)
        #expect(row.attributes == [Attribute("network.peer.address", cut)])
    }

    @Test func nothingAndLessThanNothingIsNoRow() throws {
        var window = SourceWindow()
        take(&window, [try peer(1, "a", 0), try peer(2, "b", -5), try peer(3, "c", 1)], at: 1)
        #expect(snapshot(["wire": window], at: 1).lists.first?.rows.map(\.label) == ["c"])
    }

    @Test func whatNobodyReportsIsNamedWithWhatItNeeds() throws {
        var window = SourceWindow()
        #expect(snapshot([:], at: 1).absentLists.map(\.name) == TopListDefinition.all.map(\.name))
        #expect(TopListDefinition.all.allSatisfy { !$0.needs.isEmpty })
        take(&window, [try peer(1, "a", 1)], at: 1)
        #expect(!snapshot(["wire": window], at: 1).absentLists.contains { $0.name == "talkers.addresses" })
    }

    @Test func severalSourcesHaveAListEach() throws {
        var (wire, log) = (SourceWindow(), SourceWindow())
        let names = { (view: String) in "sonde.dns.\(view).top.name.interval.queries" }
        take(&wire, [try reading(names("wire"), 1, 1, unit: "{query}", ["sonde.dns.name": "a.example"])], at: 1)
        take(
            &log,
            [
                try reading(
                    names("resolver"), 2, 2, unit: "{query}",
                    ["sonde.dns.name": "b.example", "sonde.dns.resolver": "unbound"])
            ], at: 1)
        let lists = snapshot(["wire": wire, "resolver": log], at: 1).lists
        #expect(lists.map(\.name) == ["dns.names", "dns.names"])
        #expect(lists.map(\.source) == ["resolver", "wire"])
        #expect(lists.map { $0.rows.map(\.label) } == [["b.example"], ["a.example"]])
    }
}
