/// How large a history is at most, and how much fits in.
struct HistorySize: Hashable {
    /// The least that a history works with.
    static let leastBytes: Int64 = 12 << 20
    /// What is taken when nothing is configured.
    static let standardBytes: Int64 = 38 << 20
    /// SQLite's pages.
    static let pageBytes: Int64 = 4_096
    /// Beyond so many frames of the write-ahead log nothing is written until it was emptied.
    static let mostFrames = 1_024
    /// From so many frames on the log is emptied.
    static let enoughFrames = 256

    // The log, up to where nothing is written any more and one commit beyond it; docs/spec/history.md.
    private static let logBytes: Int64 = 8 << 20
    private static let fixedPages: Int64 = 128
    private static let pagesPerUnit: Int64 = 96

    /// How many pages the file may have.
    let pages: Int64
    /// How many series of values fit in; a distribution is two.
    let units: Int

    /// What fits into so many bytes, the log and its index included; less than the least is taken as that.
    init(bytes: Int64) {
        let pages = (max(bytes, Self.leastBytes) - Self.logBytes) / Self.pageBytes
        units = Int(clamping: (pages - Self.fixedPages) / Self.pagesPerUnit)
        self.pages = pages
    }
}
