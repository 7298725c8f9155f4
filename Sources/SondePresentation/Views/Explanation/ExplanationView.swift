internal import SondeDomain
public import SondeFormats

/// A metric for people: what it is, when it is bad and what to try, and what a running agent has of it.
public struct ExplanationView {
    private static let heads = 10
    private static let mostSeries = 20

    private let state: ExplanationState
    private let columns: Int

    /// A view of `state` on a terminal that is so wide.
    public init(_ state: ExplanationState, columns: Int) {
        self.state = state
        self.columns = max(60, columns)
    }

    /// The lines from top to bottom.
    public var lines: [StyledLine] {
        let title = [state.metric, state.member].compactMap(\.self).joined(separator: "  ")
        return [StyledLine(HarmlessText.line(title), .strong)] + state.origins.flatMap(origin) + reason + advice
            + [StyledLine()] + sinks + values + day
    }

    private func origin(_ origin: ExplanationState.Origin) -> [StyledLine] {
        let definition = origin.definition
        let views = origin.sees.map(\.text).sorted().joined(separator: ", ")
        let from = views.isEmpty ? origin.plugin : "\(origin.plugin): \(views)"
        var lines = [StyledLine()] + entry("means", definition.meaning) + entry("from", from)
        lines += entry(
            "is",
            "\(definition.kind.name), unit \(definition.unit.isEmpty ? "none" : definition.unit), sent from level "
                + "\(definition.level.rawValue) on")
        if !definition.attributes.isEmpty { lines += entry("by", definition.attributes.joined(separator: ", ")) }
        return lines
    }

    private var reason: [StyledLine] {
        guard let known = state.reason else { return [] }
        let told = [known.meaning, known.detail].compactMap(\.self).joined(separator: ". ")
        return [StyledLine()] + entry("reason", told) + entry("try", known.advice ?? "nothing: it is no loss")
    }

    private var advice: [StyledLine] {
        state.advice.flatMap { advice in
            let members = advice.members.isEmpty ? "" : "\(advice.members.joined(separator: ", ")): "
            return [StyledLine()] + entry("says", members + advice.meaning) + entry("bad when", advice.badWhen)
        }
    }

    private var sinks: [StyledLine] {
        guard let sinks = state.sinks else {
            return entry("sinks", "name the configuration with -c to see which get it")
        }
        let words = sinks.map { sink in
            switch sink.share {
            case .all: sink.id
            case .some: "\(sink.id) (some series, by their labels)"
            case .none: "not \(sink.id)"
            }
        }
        return entry("sinks", words.isEmpty ? "none" : words.joined(separator: ", "))
    }

    private var values: [StyledLine] {
        guard let agent = state.agent else { return entry("now", "no agent answers: this is what the catalog has") }
        guard !agent.series.isEmpty else { return entry("now", "the agent has no such series open") }
        var table = TextTable(["VALUE", "AGE", "SOURCE", "ATTRIBUTES"])
        for item in agent.series.prefix(Self.mostSeries) {
            let attributes = (item["attributes"]?.asObject ?? []).map { "\($0.key)=\($0.value.asString ?? "")" }
            table.append([
                PointLineView.value(item), AgeText.since(item.instant("time"), at: state.now),
                item["source"]?.asString ?? "", attributes.joined(separator: " "),
            ])
        }
        var lines = [StyledLine()] + table.lines().map { StyledLine(HarmlessText.line($0)).clipped(to: columns) }
        let more = agent.series.count - Self.mostSeries
        if more > 0 { lines.append(StyledLine("… \(more) more series; sonde series shows all", .faint)) }
        return lines
    }

    private var day: [StyledLine] {
        guard let day = state.agent?.day, !day.isEmpty else { return [] }
        var table = TextTable(["LAST 24 H", "SOURCE", "AVERAGE", "MAXIMUM", "LAST", "UNIT"])
        for series in day {
            let numbers = ["average", "maximum", "last"].map { QuantityText.count(series.summary?[$0]?.asDouble) }
            let name = [series.metric, series.member].compactMap(\.self).joined(separator: " ")
            table.append([name, series.source] + numbers + [series.unit])
        }
        return [StyledLine()] + table.lines().map { StyledLine(HarmlessText.line($0)).clipped(to: columns) }
    }

    /// A word and what belongs to it, in as many lines as it takes.
    private func entry(_ head: String, _ text: String) -> [StyledLine] {
        let blank = String(repeating: " ", count: Self.heads)
        return Paragraph.lines(text, columns: columns - Self.heads).enumerated().map { index, part in
            var line = StyledLine(index == 0 ? head + blank.dropFirst(head.count) : blank, .faint)
            line.append(part)
            return line
        }
    }
}

extension PluginDescriptor.View {
    fileprivate var text: String {
        switch self {
        case .kernel: "the kernel's counters"
        case .wire: "packets on the wire"
        case .log: "what a program logs"
        }
    }
}

extension ExplanationView {
    /// `sonde.explanation/1`: what is not known is null.
    public var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("schema", "sonde.explanation/1")
            json.member("metric", state.metric)
            json.member("member", state.member)
            json.member("origins", state.origins.map(OriginJSON.init))
            json.member("reason") { writeReason(to: &$0) }
            json.member("advice", state.advice.map(AdviceJSON.init))
            json.member("sinks") { json in
                guard let sinks = state.sinks else { return json.null() }
                json.object { json in
                    for sink in sinks { json.member(sink.id, sink.share.rawValue) }
                }
            }
            json.member("agent") { writeAgent(to: &$0) }
        }
        return json.bytes
    }

    private func writeReason(to json: inout JSONWriter) {
        guard let known = state.reason else { return json.null() }
        json.object { json in
            json.member("meaning", known.meaning)
            json.member("detail", known.detail)
            json.member("advice", known.advice)
        }
    }

    private func writeAgent(to json: inout JSONWriter) {
        guard let agent = state.agent else { return json.null() }
        json.object { json in
            json.member("series", agent.series)
            json.member("day") { json in
                guard let day = agent.day else { return json.null() }
                json.array { json in
                    for series in day {
                        json.object { json in
                            json.member("metric", series.metric)
                            json.member("member", series.member)
                            json.member("source", series.source)
                            json.member("unit", series.unit)
                            json.member("summary", series.summary ?? .null)
                        }
                    }
                }
            }
        }
    }
}

private struct OriginJSON: JSONWritable {
    let origin: ExplanationState.Origin

    init(_ origin: ExplanationState.Origin) { self.origin = origin }

    func write(to json: inout JSONWriter) {
        let definition = origin.definition
        json.object { json in
            json.member("plugin", origin.plugin)
            json.member("sees", origin.sees.map(\.rawValue).sorted())
            json.member("kind", definition.kind.name)
            json.member("unit", definition.unit)
            json.member("level", definition.level.rawValue)
            json.member("attributes", definition.attributes)
            json.member("meaning", definition.meaning)
        }
    }
}

private struct AdviceJSON: JSONWritable {
    let advice: MetricAdvice

    init(_ advice: MetricAdvice) { self.advice = advice }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("members", advice.members)
            json.member("meaning", advice.meaning)
            json.member("bad_when", advice.badWhen)
        }
    }
}
