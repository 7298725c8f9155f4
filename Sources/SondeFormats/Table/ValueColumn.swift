/// Which of a snapshot's three values a column shows.
enum ValueColumn {
    case current
    case average
    case peak

    /// The column's head.
    var title: String {
        switch self {
        case .current: "current"
        case .average: "average"
        case .peak: "peak"
        }
    }

    /// The value to show.
    func value(of values: SnapshotView.Values) -> Double? {
        switch self {
        case .current: values.current
        case .average: values.average
        case .peak: values.peak
        }
    }

    /// The columns that fit: all, or without the average, or the current value alone.
    static func fitting(_ width: Int, each columnWidth: Int) -> [ValueColumn] {
        let choices: [[ValueColumn]] = [[.current, .average, .peak], [.current, .peak]]
        return choices.first { $0.count * columnWidth <= width } ?? [.current]
    }
}
