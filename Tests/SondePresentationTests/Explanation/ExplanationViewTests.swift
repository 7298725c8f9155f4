import SondeDomain
import SondeFormats
import SondePresentation
import Testing

@Suite struct ExplanationViewTests {
    private static let definition = MetricDefinition(
        "sonde.drop.packet.count", .counter, unit: "{packet}", attributes: ["sonde.drop.reason"],
        meaning: "Packets that the kernel has dropped, by its reason.")

    private func state(_ member: String?) -> ExplanationState {
        let descriptor = PluginDescriptor(
            name: "drops", kind: .source, version: "1", summary: "", metrics: [Self.definition], sees: [.kernel])
        return ExplanationState(
            Self.definition.name, member: member, origins: [ExplanationState.Origin(descriptor, Self.definition)],
            at: Timestamp(seconds: 1_767_225_610))
    }

    private func text(_ state: ExplanationState, columns: Int = 100) -> [String] {
        ExplanationView(state, columns: columns).lines.map { $0.spans.map(\.text).joined() }
    }

    private func item(_ json: String) throws -> JSONValue { try JSONReader.parse(json) }

    @Test func withoutAnAgentTheCatalogIsShownAndThatNoneAnswered() {
        let lines = text(state("tcp_overwindow"))
        #expect(
            lines == [
                "sonde.drop.packet.count  tcp_overwindow", "",
                "means     Packets that the kernel has dropped, by its reason.",
                "from      drops: the kernel's counters",
                "is        counter, unit {packet}, sent from level core on",
                "by        sonde.drop.reason", "",
                "reason    the sender sent more than the receiver allowed",
                "try       who does; some middleboxes do", "",
                "sinks     name the configuration with -c to see which get it",
                "now       no agent answers: this is what the catalog has",
            ], "\(lines)")
    }

    @Test func whatIsNoLossHasNothingToTry() {
        #expect(text(state("queue_purge")).contains("try       nothing: it is no loss"))
    }

    @Test func aMetricIsBadWhenTheGuideSaysSo() {
        let lines = text(state(nil))
        #expect(lines.contains("says      socket_rcvbuff: datagrams for a program that does not read fast enough"))
        #expect(lines.contains("bad when  it rises at all"))
        #expect(
            text(state("neigh_failed")).filter { $0.hasPrefix("bad when") } == [
                "bad when  it rises: a host is down, or a scan"
            ])
    }

    @Test func anAgentAddsValuesWithTheirAgeAndTheDay() throws {
        var state = state("no_socket")
        let point = try item(
            #"{"id":1,"source":"why\u001b","name":"sonde.drop.packet.count","time":"2026-01-01T00:00:07.000Z","value":991,"attributes":{"sonde.drop.reason":"no_socket"}}"#
        )
        let day = HistoryState(
            [
                try item(
                    #"{"metric":"bandwidth.receive","unit":"By/s","source":"kernel","interface":"eth0","summary":{"average":2.5,"maximum":7,"last":3},"points":[]}"#
                )
            ], from: nil, to: nil)
        state.agent = ExplanationState.Agent(series: [point], day: day.series)
        state.sinks = [.init(id: "a", share: .all), .init(id: "b", share: .some), .init(id: "c", share: .none)]
        let lines = text(state)
        #expect(lines.contains("sinks     a, b (some series, by their labels), not c"))
        #expect(
            lines.contains { $0.hasPrefix("991    3s   why\u{FFFD}") && $0.hasSuffix("sonde.drop.reason=no_socket") },
            "\(lines)")
        #expect(
            lines.contains { $0.hasPrefix("bandwidth.receive") && $0.hasSuffix("2.5      7        3     By/s") },
            "\(lines)")
        let json = try JSONReader.parse(ExplanationView(state, columns: 80).json)
        #expect(json["schema"]?.asString == "sonde.explanation/1")
        #expect(json["agent"]?["series"]?.asArray == [point])
        #expect(json["agent"]?["day"]?.asArray?.first?["summary"]?["average"]?.asDouble == 2.5)
        #expect(json["sinks"]?["b"]?.asString == "some")
        #expect(json["reason"]?["advice"]?.asString == DropAdvice(on: "no_socket")?.advice)
    }

    @Test func anAgentWithoutThatSeriesSaysSo() {
        var state = state(nil)
        state.agent = ExplanationState.Agent(series: [], day: [])
        #expect(text(state).last == "now       the agent has no such series open")
    }

    @Test func noLineIsWiderThanTheTerminal() throws {
        var state = state("socket_rcvbuff")
        let long = String(repeating: "x", count: 300)
        let point = try item(#"{"source":"why","name":"n","value":1,"attributes":{"a":"\#(long)"}}"#)
        state.agent = ExplanationState.Agent(series: Array(repeating: point, count: 30), day: [])
        let lines = ExplanationView(state, columns: 80).lines
        #expect(lines.allSatisfy { $0.width <= 80 })
        #expect(lines.last?.spans.first?.text == "… 10 more series; sonde series shows all")
    }

    @Test func aMemberIsTheValueOfAnyAttribute() throws {
        let point = try item(
            #"{"source":"kernel","name":"system.network.io","attributes":{"network.interface.name":"eth0","network.io.direction":"receive"}}"#
        )
        #expect(ExplanationState.isMember(point, nil) && ExplanationState.isMember(point, "eth0"))
        #expect(!ExplanationState.isMember(point, "eth1"))
        #expect(
            ExplanationState.kept(of: point) == [HistorySeries(.bandwidthReceive, member: "eth0", source: "kernel")])
    }
}
