internal import SondeDomain
public import SondeFormats

extension DashboardIntent {
    /// Why a request of a page means nothing.
    public struct Flaw: Error, Hashable, Sendable {
        /// One sentence.
        public let message: String
    }

    /// The most rows that a page may have room for.
    private static let mostRows: Int64 = 1_000
    private static let mostScrolled: Int64 = 1_000_000
    private static let longestName = 1_024

    /// What `{"do":"show","value":"dns"}` wants; throws when it means nothing.
    public static func page(_ request: JSONValue) throws(Flaw) -> [DashboardIntent] {
        guard let word = request["do"]?.asString else { throw Flaw(message: "'do' has to be a word") }
        let value = request["value"] ?? .null
        switch word {
        case "show": return [.show(try choice(value, of: DashboardTab.allCases) { $0.rawValue })]
        case "range": return [.range(try choice(value, of: HistoryTier.allCases) { $0.name })]
        case "metric": return [.metric(try choice(value, of: HistoryMetric.allCases) { $0.rawValue })]
        case "list": return [.list(value.isNull ? nil : try text(value))]
        case "chart": return [.chart(try choice(value, of: ChartKind.allCases) { $0.rawValue })]
        case "sort": return [.sort(try choice(value, of: DashboardSort.allCases) { $0.rawValue })]
        case "type": return [.editFilter, .type(try text(value))]
        case "clearFilter": return [.clearFilter]
        case "toggleIdleRows": return [.toggleIdleRows]
        case "move": return [.move(try count(value, -mostRows...mostRows))]
        case "select": return [.select(value.isNull ? nil : try text(value))]
        case "scroll": return [.scroll(to: try count(value, 0...mostScrolled))]
        case "fit": return [.fit(rows: try count(value, 1...mostRows))]
        case "togglePause": return [.togglePause]
        case "recover": return value.isNull ? [.recover] : [.retry(try text(value))]
        case "dismiss": return [.dismiss]
        default: throw Flaw(message: "'do' is none of the words of a page")
        }
    }

    private static func choice<Choice>(
        _ value: JSONValue, of all: [Choice], _ name: (Choice) -> String
    ) throws(Flaw) -> Choice {
        let word = try text(value)
        guard let choice = all.first(where: { name($0) == word }) else {
            throw Flaw(message: "'value' is none of \(all.map(name).joined(separator: ", "))")
        }
        return choice
    }

    private static func text(_ value: JSONValue) throws(Flaw) -> String {
        guard let text = value.asString, text.utf8.count <= longestName else {
            throw Flaw(message: "'value' has to be a text of at most \(longestName) bytes")
        }
        return text
    }

    private static func count(_ value: JSONValue, _ range: ClosedRange<Int64>) throws(Flaw) -> Int {
        guard let count = value.asInt64, range.contains(count) else {
            throw Flaw(message: "'value' has to be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return Int(count)
    }
}
