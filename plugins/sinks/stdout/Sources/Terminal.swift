internal import Glibc
internal import SondeFormats

/// What the sink asks about the place it writes to; tests give answers of their own.
struct Terminal: Sendable {
    /// The size of the terminal behind a descriptor; nil when it is none, or one that cannot move its cursor.
    var size: @Sendable (Int32) -> TableSize?
    /// Whether the person asked for no color (no-color.org).
    var isColorUnwanted: @Sendable () -> Bool

    /// The terminal that the process sees.
    static let real = Terminal(
        size: { windowSize($0, terminalName: getenv("TERM").map { String(cString: $0) }) },
        isColorUnwanted: { getenv("NO_COLOR").map { $0.pointee != 0 } ?? false }
    )

    /// The size of the terminal behind a descriptor; nil when it is none, or one that cannot move its cursor.
    static func windowSize(_ descriptor: Int32, terminalName: String?) -> TableSize? {
        guard isatty(descriptor) == 1, let terminalName, terminalName != "dumb" else { return nil }
        var window = winsize()
        // A serial line knows no size: 0 by 0.
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return TableSize(columns: 80, rows: 24)
        }
        return TableSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }
}
