internal import SondeDomain
internal import SondeFormats

/// Paints the table: in place on a terminal, as a block per batch elsewhere.
struct TablePainter {
    private let color: StdoutSettings.Color
    private let terminal: Terminal
    private var board = SnapshotBoard()
    private var hasScrolled = false
    /// Whether the last table was painted in place.
    private(set) var isLive = false

    init(color: StdoutSettings.Color, terminal: Terminal) {
        self.color = color
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
            // What stands in the window goes into the scrollback instead of being painted over.
            for _ in 0..<(size.rows ?? 0) { buffer.append(0x0a) }
            hasScrolled = true
        }
        let color = tableColor(whenAuto: terminal.isColorUnwanted() ? .none : .ansi)
        buffer.append(literal: "\u{1b}[H")
        for line in TableView.lines(board, size: size) {
            buffer.append(literal: "\u{1b}[K")
            line.append(to: &buffer, color: color)
            buffer.append(0x0a)
        }
        buffer.append(literal: "\u{1b}[J")
    }

    private func appendBlock(into buffer: inout ByteBuffer) {
        let color = tableColor(whenAuto: .none)
        for line in TableView.lines(board, size: .unbounded) {
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
