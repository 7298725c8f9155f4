import SondeDomain
import Testing

@testable import SondeEngine

/// What becomes of a configuration at each level of saving.
@Suite struct ConfigurationLimiterTests {
    private static let capture = PluginDescriptor(
        name: "capture", kind: .source, version: "1", summary: "",
        options: [
            OptionDefinition("top", .integer(0...250), default: "20", help: "", saving: .init(.names, "0")),
            OptionDefinition("flows", .bool, default: "true", help: "", saving: .init(.flows, "false")),
            OptionDefinition("cpu_budget", .double(0.01...100), help: ""),
            OptionDefinition("snaplen", .size(64...1_024), default: "256", help: ""),
        ])
    private static let kernel = PluginDescriptor(
        name: "kernel", kind: .source, version: "1", summary: "",
        options: [
            OptionDefinition(
                "sockets", .choice(["off", "count", "detail"]), default: "count", help: "",
                saving: .init(.sockets, "count")),
            OptionDefinition("peak_rate", .integer(0...50), default: "10", help: "", saving: .init(.peaks, "0")),
            OptionDefinition("cpu_budget", .double(0.01...100), default: "1", help: ""),
        ])

    private func limiter(cpu: Double? = 0.02) -> ConfigurationLimiter {
        ConfigurationLimiter(ResourceLimits(processors: cpu, memory: 64 << 20)) { text, option in
            switch option.type {
            case .bool: .bool(text == "true")
            case .integer: Int64(text).map { .integer($0) }
            default: .string(text)
            }
        }
    }

    private func source(_ plugin: String, _ values: [String: OptionValues.Value]) -> SourceConfiguration {
        var source = SourceConfiguration(
            id: plugin, plugin: plugin, interval: .seconds(10), options: OptionValues(values))
        source.level = .all
        return source
    }

    private var whole: AgentConfiguration {
        AgentConfiguration(sources: [
            source("capture", ["top": .integer(20), "flows": .bool(true), "snaplen": .size(256)]),
            source(
                "kernel", ["sockets": .string("detail"), "peak_rate": .integer(10), "cpu_budget": .double(1)]),
        ])
    }

    private func limited(_ limiter: ConfigurationLimiter, _ configuration: AgentConfiguration) -> [SourceConfiguration]
    {
        limiter.limited(configuration) { $0.plugin == "capture" ? Self.capture : Self.kernel }.sources
    }

    private func noteInForce(_ limiter: ConfigurationLimiter, _ configuration: AgentConfiguration) {
        limiter.noteInForce(configuration) { $0.plugin == "capture" ? Self.capture : Self.kernel }
    }

    @Test func eachLevelHasTheStepsBeforeIt() {
        let limiter = limiter()
        noteInForce(limiter, whole)
        var found: [[OptionValues.Value?]] = []
        for level in 0...6 {
            limiter.level = level
            let sources = limited(limiter, whole)
            found.append(
                ["top", "flows"].map { sources[0].options.values[$0] }
                    + ["sockets", "peak_rate"].map { sources[1].options.values[$0] })
            #expect(sources.map(\.level) == (level < 5 ? [.all, .all] : [.core, .core]))
            #expect(sources.map(\.collected) == (level < 5 ? [.all, .all] : [.core, .core]))
            #expect(sources.map(\.interval) == Array(repeating: .seconds(level < 6 ? 10 : 60), count: 2))
        }
        let (names, flows) = (OptionValues.Value.integer(20), OptionValues.Value.bool(true))
        let (sockets, peaks) = (OptionValues.Value.string("detail"), OptionValues.Value.integer(10))
        let none = OptionValues.Value.integer(0)
        #expect(found[0] == [names, flows, sockets, peaks])
        #expect(found[1] == [none, flows, sockets, peaks])
        #expect(found[2] == [none, .bool(false), sockets, peaks])
        #expect(found[3] == [none, .bool(false), .string("count"), peaks])
        #expect(found[4] == [none, .bool(false), .string("count"), none])
        #expect(found[5] == found[4] && found[6] == found[4])
        #expect(limiter.ladder == [1, 2, 3, 4, 5, 6])
    }

    @Test func aConfiguredValueThatCostsLessStays() {
        let limiter = limiter()
        limiter.level = 6
        let frugal = AgentConfiguration(sources: [
            source("kernel", ["sockets": .string("off"), "peak_rate": .integer(0), "cpu_budget": .double(0.2)])
        ])
        noteInForce(limiter, frugal)
        let sources = limited(limiter, frugal)
        #expect(sources[0].options.values["sockets"] == .string("off"))
        #expect(sources[0].options.values["peak_rate"] == .integer(0))
        #expect(sources[0].options.values["cpu_budget"] == .double(0.2))
        // Steps that make no difference to it are not on the way.
        #expect(limiter.ladder == [5, 6])
    }

    @Test func whatIsReadAndNotPutInForceDoesNotChangeTheLadder() {
        let limiter = limiter()
        noteInForce(limiter, whole)
        _ = limited(limiter, AgentConfiguration())
        #expect(limiter.ladder == [1, 2, 3, 4, 5, 6])
        noteInForce(limiter, AgentConfiguration())
        #expect(limiter.ladder == [])
    }

    @Test func streamsKeepAPaceFromTheStartWhereProcessorTimeIsLimited() {
        let limiter = limiter()
        let sources = limited(limiter, whole)
        #expect(sources[0].options.values["cpu_budget"] == .double(1.4))
        #expect(sources[1].options.values["cpu_budget"] == .double(1))
        limiter.level = 6
        #expect(limited(limiter, whole)[0].options.values["cpu_budget"] == .double(1.4))
        let memoryOnly = self.limiter(cpu: nil)
        #expect(limited(memoryOnly, whole)[0].options.values["cpu_budget"] == nil)
    }

    @Test func twoStreamsShareWhatIsLeftAtTheLastLevel() {
        let limiter = limiter()
        limiter.level = 6
        let streams = AgentConfiguration(sources: [source("capture", [:]), source("capture", [:])])
        #expect(limited(limiter, streams).map { $0.options.values["cpu_budget"] } == [.double(0.7), .double(0.7)])
    }

    @Test func aLongIntervalIsNotMadeLonger() {
        let limiter = limiter()
        limiter.level = 6
        var slow = whole
        slow.sources[0].interval = .seconds(1)
        slow.sources[1].interval = .seconds(300)
        #expect(limited(limiter, slow).map(\.interval) == [.seconds(10), .seconds(300)])
    }

    @Test func withoutADescriptorOnlyWhatEverySourceHasIsSaved() {
        let limiter = limiter()
        limiter.level = 6
        let sources = limiter.limited(whole) { _ in nil }.sources
        #expect(sources[0].options.values == whole.sources[0].options.values)
        #expect(sources[0].interval == .seconds(60))
    }
}
