public import SondeDomain
public import SondeFormats

/// The rows of a page of the dashboard, filtered and in the chosen order.
public struct DashboardTable: Hashable, Sendable {
    /// What a row is about.
    public struct Subject: Hashable, Sendable {
        /// The metric.
        public var metric: HistoryMetric
        /// The interface, state or sink; nil: all together.
        public var member: String?
    }

    /// One row.
    public struct Row: Hashable, Sendable {
        /// Identifies it while the order changes.
        public var id: String
        /// One text for each column; nothing in them steers a terminal.
        public var texts: [String]
        /// What it is sorted by.
        public var values = SnapshotView.Values()
        /// What a chart of it is of; nil: there is none.
        public var subject: Subject?
        /// Its course over the range; nil: not known.
        public var course: [Double?]?
        /// Whether it fails.
        public var isFailing = false
        /// Whether it was zero for the whole window.
        public var isIdle = false
    }

    /// What is said above it; nil: nothing.
    public var title: String?
    /// The names of the columns; the first is what the row is about.
    public var columns: [String]
    /// How many of the columns are words; the others are numbers.
    public var wordCount = 1
    /// What the rows are, in the plural.
    public var rowName: String
    /// Every row there is.
    public var allRows: [Row] = []
    /// Those that are shown.
    public private(set) var rows: [Row] = []
    /// How many were left out because they are idle.
    public private(set) var idleCount = 0
    /// What is said where there are no rows.
    public var absence: String

    init(_ columns: [String], wordCount: Int = 1, of rowName: String, absence: String) {
        self.columns = columns
        self.wordCount = wordCount
        self.rowName = rowName
        self.absence = absence
    }

    /// Chooses the rows that are shown.
    mutating func arrange(_ sort: DashboardSort, filter: String, showsIdle: Bool) {
        let wanted = allRows.filter { row in
            filter.isEmpty || row.texts.prefix(wordCount).contains { Self.contains($0, filter) }
        }
        let busy = wanted.filter { showsIdle || !$0.isIdle }
        idleCount = wanted.count - busy.count
        switch sort {
        case .importance: rows = busy.filter(\.isFailing) + busy.filter { !$0.isFailing }
        case .name: rows = busy.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
        case .current: rows = Self.largestFirst(busy) { $0.current }
        case .average: rows = Self.largestFirst(busy) { $0.average }
        case .peak: rows = Self.largestFirst(busy) { $0.peak }
        }
    }

    /// The id of a row that fails: the selected one, or the first.
    func failingInstance(_ selected: String?) -> String? {
        (rows.first { $0.id == selected && $0.isFailing } ?? (selected == nil ? rows.first(where: \.isFailing) : nil))?
            .id
    }

    /// Equal values stay in their order; what is not known comes last.
    private static func largestFirst(_ rows: [Row], _ value: (SnapshotView.Values) -> Double?) -> [Row] {
        let ranked = rows.enumerated().map { (place: $0.offset, value: value($0.element.values), row: $0.element) }
        return ranked.sorted { left, right in
            switch (left.value, right.value) {
            case (let a?, let b?) where a != b: a > b
            case (_?, nil): true
            case (nil, _?): false
            default: left.place < right.place
            }
        }
        .map(\.row)
    }

    /// Whether a text contains another one, in small or capital letters.
    private static func contains(_ text: String, _ part: String) -> Bool {
        let (text, part) = (Array(text.lowercased().utf8), Array(part.lowercased().utf8))
        guard part.count <= text.count else { return false }
        return (0...(text.count - part.count)).contains { text[$0..<($0 + part.count)].elementsEqual(part) }
    }
}
