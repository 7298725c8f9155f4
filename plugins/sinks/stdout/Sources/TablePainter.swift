internal import Glibc
internal import SondeDomain
internal import SondeFormats

/// Paints the table: in place on a terminal, as a block per batch elsewhere.
struct TablePainter {
    private let color: StdoutConfiguration.Color
    private let rows: TableRows
    private let terminal: Terminal
    private var board = SnapshotBoard()
    private var hasScrolled = false
    /// Whether the last table was painted in place.
    private(set) var isLive = false

    init(color: StdoutConfiguration.Color, rows: TableRows, terminal: Terminal) {
        self.color = color
        self.rows = rows
        self.terminal = terminal
    }

    /// Appends what the documents change; returns notes for the log.
    mutating func paint(_ documents: [Document], on descriptor: Int32, into buffer: inout ByteBuffer) -> [String] {
        let size = terminal.size(descriptor)
        isLive = size != nil
        guard !documents.isEmpty else { return [] }
        if !isLive { board = SnapshotBoard() }
        board.clearNotes()
        for document in documents { board.take(document.json) }
        if let size {
            paintInPlace(size, into: &buffer)
        } else {
            appendBlock(into: &buffer)
        }
        return board.notes
    }

    private mutating func paintInPlace(_ size: TableSize, into buffer: inout ByteBuffer) {
        if !hasScrolled {
            // What is in the window goes into the scrollback instead of being painted over.
            for _ in 0..<(size.rows ?? 0) { buffer.append(0x0a) }
            hasScrolled = true
        }
        let color = tableColor(whenAuto: terminal.isColorUnwanted() ? .none : .ansi)
        buffer.append(literal: "\u{1b}[H")
        for line in TableView.lines(board, size: size, rows: rows) {
            buffer.append(literal: "\u{1b}[K")
            line.append(to: &buffer, color: color)
            buffer.append(0x0a)
        }
        buffer.append(literal: "\u{1b}[J")
    }

    private func appendBlock(into buffer: inout ByteBuffer) {
        let color = tableColor(whenAuto: .none)
        for line in TableView.lines(board, size: .unbounded, rows: rows) {
            line.append(to: &buffer, color: color)
            buffer.append(0x0a)
        }
        buffer.append(0x0a)
    }

    private func tableColor(whenAuto automatic: TableColor) -> TableColor {
        switch color {
        case .auto: automatic
        case .always: .ansi
        case .never: .none
        }
    }
}

/// What the sink queries about the place it writes to; tests replace it.
struct Terminal: Sendable {
    /// The size of the terminal behind a descriptor; nil when it is none, or one that cannot move its cursor.
    var size: @Sendable (Int32) -> TableSize?
    /// Whether color is switched off (no-color.org).
    var isColorUnwanted: @Sendable () -> Bool

    /// The terminal of the process.
    static let real = Terminal(
        size: { windowSize($0, terminalName: getenv("TERM").map { String(cString: $0) }) },
        isColorUnwanted: { getenv("NO_COLOR").map { $0.pointee != 0 } ?? false }
    )

    /// The size of the terminal behind a descriptor; nil when it is none, or one that cannot move its cursor.
    static func windowSize(_ descriptor: Int32, terminalName: String?) -> TableSize? {
        guard isatty(descriptor) == 1, let terminalName, terminalName != "dumb" else { return nil }
        var window = winsize()
        // A serial line has no size: 0 by 0.
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return TableSize(columns: 80, rows: 24)
        }
        return TableSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }
}
