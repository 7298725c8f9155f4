/// How values of a metric are compared: by ratio, and near zero by difference.
struct ChangeScale {
    /// What is added to both values before their ratio is taken: below it a difference is nothing that anyone looks for.
    let grain: Double

    /// The scale of a metric.
    init(_ metric: HistoryMetric) {
        switch metric {
        case .bandwidthReceive, .bandwidthTransmit: grain = 20_000
        case .connectionsTCP, .connectionsUDP, .connectionsRaw: grain = 20
        case .dnsQueries, .dnsResponses, .dnsResponseCodes: grain = 1
        case .dnsFailures, .dnsUnanswered: grain = 0.2
        case .dnsLatency: grain = 0.002
        case .agentMemory: grain = 4_194_304
        case .agentProcessor: grain = 0.02
        case .agentSamples: grain = 10
        case .agentWaiting: grain = 1_000
        case .agentLosses: grain = 0.1
        }
    }

    /// By which factor `value` is above `other`; below 1 where it is less.
    func ratio(of value: Double, to other: Double) -> Double {
        (max(0, value) + grain) / (max(0, other) + grain)
    }

    /// Whether two values differ by what somebody looks for: near zero, factors say too much.
    func isApart(_ value: Double, from other: Double) -> Bool { abs(value - other) >= grain }

    /// The value that is above `value` by that factor, at least 0.
    func value(_ value: Double, times factor: Double) -> Double {
        max(0, (max(0, value) + grain) * factor - grain)
    }

    /// How many times the factor `spread` (above 1) has to be taken for `ratio`; negative where that is below 1.
    static func spreads(in ratio: Double, of spread: Double) -> Double {
        let unit = logarithm(spread)
        return unit > 0 ? logarithm(ratio) / unit : 0
    }

    /// The natural logarithm of a positive number, to six digits: enough for ranking, and the standard library has none.
    private static func logarithm(_ value: Double) -> Double {
        guard value > 0, value.isFinite else { return 0 }
        let part = (value.significand - 1) / (value.significand + 1)
        let square = part * part
        var (power, series) = (part, 0.0)
        for divisor in [1.0, 3, 5, 7, 9, 11] {
            series += power / divisor
            power *= square
        }
        return Double(value.exponent) * 0.693_147_180_559_945_3 + 2 * series
    }
}

extension HistoryMetric {
    /// A distribution of fewer events says nothing of what is usual.
    private static let fewestEvents: UInt64 = 10

    /// The number of a point that is compared: the average, of a distribution the median of its events.
    ///
    /// Nil: the point has too few events.
    func compared(_ point: HistoryPoint) -> Double? {
        guard point.average.isFinite else { return nil }
        guard shape == .distribution else { return point.average }
        guard let latencies = point.latencies, latencies.total >= Self.fewestEvents else { return nil }
        // Beyond the last bound it is not known how far; the mean is beyond it, too.
        return latencies.quantile(0.5) ?? point.average
    }
}
