internal import SondeDomain
public import SondeEngine
internal import SondeFormats

/// Spells what sources and sinks will send.
public enum EstimateView {
    /// Two tables, and what they leave out.
    public static func text(_ sources: [EstimateDelivery.Source], _ sinks: [EstimateDelivery.Sink]) -> String {
        var lines = table(of: sources) + [""] + table(of: sinks)
        let failing = sources.filter { $0.series == nil }.map(\.id)
        if !failing.isEmpty {
            lines += ["", "\(failing.joined(separator: ", ")): the collection failed, and is in no number."]
        }
        let growing = sources.filter(\.growsWithTraffic).map(\.id)
        if !growing.isEmpty {
            let verb = growing.count == 1 ? "has" : "have"
            lines += ["", "\(growing.joined(separator: ", ")) \(verb) more series the more traffic there is."]
        }
        if sinks.contains(where: { $0.bytesAnHour == nil }) {
            lines += ["", "Of sinks without bytes none are estimated: snapshots, scrapes, programs."]
        }
        return lines.map(HarmlessText.line).joined(separator: "\n") + "\n"
    }

    private static func table(of sources: [EstimateDelivery.Source]) -> [String] {
        var table = TextTable(["SOURCE", "LEVEL", "INTERVAL", "SERIES"])
        for source in sources {
            let series = source.series.map { "\($0)" + (source.growsWithTraffic ? " and more" : "") } ?? "unknown"
            table.append([source.id, source.level?.rawValue ?? "-", DurationText.text(of: source.interval), series])
        }
        return table.lines()
    }

    private static func table(of sinks: [EstimateDelivery.Sink]) -> [String] {
        var table = TextTable(["SINK", "WRITES", "EACH", "SERIES", "BYTES AN HOUR"])
        for sink in sinks {
            let words = sink.encoding.map { [$0.format] + ($0.compression.map { [$0] } ?? []) }
            table.append([
                sink.id, words?.joined(separator: ", ") ?? "-", DurationText.text(of: sink.period), "\(sink.series)",
                sink.bytesAnHour.map { "about \(QuantityText.size($0))" } ?? "-",
            ])
        }
        return table.lines()
    }
}
