public import SondeDomain
public import SondeFormats

/// What a person or the outside wants of the dashboard.
public enum DashboardIntent: Hashable, Sendable {
    /// It is shown for the first time.
    case open
    /// Time has passed.
    case tick
    /// Another page.
    case show(DashboardTab)
    /// Another range.
    case range(HistoryTier)
    /// Another metric; one that the page does not have is ignored.
    case metric(HistoryMetric)
    /// Another list of the heaviest; nil: none. One that the page does not have is ignored.
    case list(String?)
    /// Another kind of chart.
    case chart(ChartKind)
    /// Another order of the rows.
    case sort(DashboardSort)
    /// The entry of the filter is opened, with the text that is in force.
    case editFilter
    /// The text in the entry; it is in force when no other comes for a while.
    case type(String)
    /// The entry is closed, and its text is in force.
    case applyFilter
    /// The entry is closed, and nothing is filtered.
    case clearFilter
    /// Rows that were zero for the whole window are shown, or not.
    case toggleIdleRows
    /// So many rows down; negative: up.
    case move(Int)
    /// A row by its id; nil: none.
    case select(String?)
    /// The rows from that number on are shown, wherever the selected one is.
    case scroll(to: Int)
    /// There is room for so many rows.
    case fit(rows: Int)
    /// Nothing is asked for until it comes again.
    case togglePause
    /// The keys are explained, or not.
    case toggleHelp
    /// What can be done about the failure that is shown; on the page of plugins, the one that is selected tries again.
    case recover
    /// A source or sink tries again at once.
    case retry(String)
    /// The failure is taken off the screen.
    case dismiss
    /// What the chart is of becomes a file in a format of `export`.
    case export(format: String)
    /// What was asked for with that number: the member of the answer.
    case answered(Int, JSONValue)
    /// The request with that number failed.
    case failed(Int, SondeError)
    /// The file could not be written.
    case exportFailed(SondeError)
    /// The end.
    case quit
}

/// What the dashboard wants done outside.
public enum DashboardEffect: Hashable, Sendable {
    /// A request to the agent, whose answer is an intent.
    case ask(DashboardRequest)
    /// A piece of the file that is exported.
    case write(DashboardExport.Piece)
    /// The end.
    case end
}

/// How far a file is.
public struct DashboardExport: Hashable, Sendable {
    /// A stretch of its text.
    public struct Piece: Hashable, Sendable {
        /// What the file is of.
        public var subject: DashboardSubject
        /// `csv`.
        public var format: String
        /// The text.
        public var text: String
        /// Whether it is the first of the file.
        public var isFirst: Bool
        /// Whether it is the last.
        public var isLast: Bool

        /// A name for the file.
        public var fileName: String { DashboardExport.fileName(subject, format) }
    }

    /// What it is of.
    public var subject: DashboardSubject
    /// `csv`.
    public var format: String
    /// How many parts are written.
    public var done: UInt64
    /// How many there are; 0: not known yet.
    public var count: UInt64
    /// Whether all of it is written.
    public var isComplete: Bool

    /// A name for the file: `sonde-bandwidth.receive-24h.csv`.
    public var fileName: String { Self.fileName(subject, format) }

    /// A name for the file of a subject; a member is left out of it, since it may have any character.
    static func fileName(_ subject: DashboardSubject, _ format: String) -> String {
        "sonde-\(subject.metric.rawValue)-\(subject.range.name).\(format)"
    }
}

/// How often and how soon the dashboard asks.
public struct DashboardTiming: Hashable, Sendable {
    /// Between two snapshots.
    public var live = Nanoseconds.seconds(1)
    /// Between two answers about a range.
    public var range = Nanoseconds.seconds(30)
    /// Between two answers about what has moved: an agent makes one a minute.
    public var changes = Nanoseconds.seconds(60)
    /// How long input rests before it has an effect on requests.
    public var debounce = Nanoseconds.milliseconds(250)
    /// How long an answer may take.
    public var patience = Nanoseconds.seconds(5)

    /// The usual ones.
    public init() {}
}
