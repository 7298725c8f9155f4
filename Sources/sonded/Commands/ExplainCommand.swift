internal import SondeDomain
internal import SondeEngine
internal import SondeFormats
internal import SondeGateways
internal import SondePresentation

/// `explain`: what a metric is, from the catalogs, and what a running agent has of it.
struct ExplainCommand {
    /// How many series the day is shown of.
    private static let mostKept = 8

    let session: Session

    func run(_ metric: String) throws(SondeError) -> ExitCode {
        let catalog = catalog
        let member = session.arguments[.member]
        let all = Self.origins(catalog)
        let origins = all.filter { $0.definition.name == metric }
        guard !origins.isEmpty else {
            Self.reportRefused(catalog)
            // Names are ASCII; what is not could act on a terminal.
            let bytes = metric.utf8.prefix(128).map { (0x20...0x7e).contains($0) ? $0 : UInt8(ascii: "?") }
            let name = String(decoding: bytes, as: UTF8.self)
            StandardStream.error("sonde: there is no metric '\(name)'\(Self.hint(metric, all))")
            return .usage
        }
        var state = ExplanationState(metric, member: member, origins: origins, at: session.clock.wallTime)
        state.sinks = sinks(origins)
        do throws(SondeError) {
            state.agent = try agent(metric, member)
            state.now = session.clock.wallTime
        } catch {
            guard error.code == .controlNotAnswered else { throw error }
        }
        let view = ExplanationView(state, columns: StandardStream.outputColumns)
        switch session.arguments.format {
        case .json: return StandardStream.output(view.json + [0x0a])
        case .table: return StandardStream.output(view.lines)
        }
    }

    /// What the configuration finds, where one is named.
    private var catalog: any PluginCatalog {
        session.arguments.configPath == nil ? session.catalog(log: session.startupLog) : session.load().catalog
    }

    /// Names plugins that cannot be loaded: the metric may be one of theirs.
    private static func reportRefused(_ catalog: any PluginCatalog) {
        for name in catalog.availableNames {
            do throws(SondeError) {
                _ = try catalog.plugins(named: name)
            } catch {
                StandardStream.error("sonde: the plugin '\(name)' cannot be read: \(error.code): \(error.message)")
            }
        }
    }

    /// Every metric of every plugin that can be loaded, and the agent's own.
    private static func origins(_ catalog: any PluginCatalog) -> [ExplanationState.Origin] {
        let plugins = catalog.availableNames.flatMap { name in
            (try? catalog.plugins(named: name).map(\.descriptor)) ?? []
        }
        return plugins.flatMap { descriptor in
            descriptor.metrics.map { ExplanationState.Origin(descriptor, $0) }
        } + AgentCatalog.metrics.map { ExplanationState.Origin(plugin: AgentCatalog.source, $0) }
    }

    /// The metrics that history makes a metric of its own of.
    private static func inputs(of metric: HistoryMetric, _ all: [ExplanationState.Origin]) -> Set<String> {
        let sides = [("receive", "tcp"), ("transmit", "udp")]
        let names = all.map(\.definition).filter { definition in
            sides.contains { direction, transport in
                let values = ["network.io.direction": direction, "network.transport": transport]
                let series = Series(
                    id: SeriesID(rawValue: 0), source: "", name: definition.name, kind: definition.kind,
                    unit: definition.unit,
                    // A role that history counts; of other attributes any value is a member.
                    attributes: definition.attributes.map { Attribute($0, values[$0] ?? "server") })
                return HistoryCatalog.contributions(of: series).contains { $0.series.metric == metric }
            }
        }
        return Set(names.map(\.name))
    }

    /// The metric that was perhaps meant.
    private static func hint(_ metric: String, _ all: [ExplanationState.Origin]) -> String {
        if let kept = HistoryMetric(rawValue: metric) {
            return "; history has it from \(inputs(of: kept, all).sorted().joined(separator: ", "))"
        }
        let word = Array(metric.utf8.prefix(128))
        let near = all.map {
            (name: $0.definition.name, slips: EditDistance.between(word, Array($0.definition.name.utf8)))
        }
        guard let best = near.min(by: { $0.slips < $1.slips }), best.slips <= max(2, word.count / 4) else {
            return "; 'sonde plugins describe NAME' lists those of a plugin"
        }
        return "; is it '\(best.name)'?"
    }

    private func agent(_ metric: String, _ member: String?) throws(SondeError) -> ExplanationState.Agent {
        var items: [JSONValue] = []
        var next: JSONValue?
        repeat {
            let after = next.map { [JSONValue.Member("after", $0)] } ?? []
            let page = try AgentQuery.intoSpool(session).ask(
                "series", [.init("names", .array([.string(metric)]))] + after, for: "series")
            items += (page["items"]?.asArray ?? []).filter { ExplanationState.isMember($0, member) }
            next = page["next"]
        } while next != nil
        do throws(SondeError) {
            return ExplanationState.Agent(series: items, day: try day(of: items))
        } catch {
            guard error.code == .historyOff else { throw error }
            return ExplanationState.Agent(series: items, day: nil)
        }
    }

    /// What history has of series over the last day.
    private func day(of items: [JSONValue]) throws(SondeError) -> [HistoryState.Series] {
        var day: [HistoryState.Series] = []
        for series in Set(items.flatMap(ExplanationState.kept)).sorted().prefix(Self.mostKept) {
            let members: [JSONValue.Member] = [
                .init("metric", .string(series.metric.rawValue)), .init("source", .string(series.source)),
                .init("range", .string("24h")),
            ]
            let page = try AgentQuery.intoSpool(session).ask(
                "history", members + (series.member.map { [.init("member", .string($0))] } ?? []), for: "history")
            let state = HistoryState(page["items"]?.asArray ?? [], from: page["from"], to: page["to"])
            day += state.series.filter { $0.member == series.member }
        }
        return day
    }

    /// Which sinks of the configuration get it; nil: none is named, or it has errors.
    private func sinks(_ origins: [ExplanationState.Origin]) -> [ExplanationState.Sink]? {
        guard session.arguments.configPath != nil, let configuration = session.load().loaded.configuration else {
            return nil
        }
        let isSent = origins.contains { origin in
            origin.plugin == AgentCatalog.source
                || configuration.sources.contains {
                    $0.plugin == origin.plugin && $0.level >= origin.definition.level
                }
        }
        return configuration.sinks.map { sink in
            let filter = GlobFilter(include: sink.metrics.include, exclude: sink.metrics.exclude)
            let name = origins.first?.definition.name ?? ""
            guard isSent, sink.send?.contains(.metrics) ?? true, filter.passes(name) else {
                return ExplanationState.Sink(id: sink.id, share: .none)
            }
            let isWhole = sink.relabel.keep.isEmpty && sink.relabel.drop.isEmpty
            return ExplanationState.Sink(id: sink.id, share: isWhole ? .all : .some)
        }
    }
}
