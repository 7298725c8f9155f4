internal import CLinux
internal import Glibc
public import SondeFormats

/// A terminal that belongs to one view: the alternate screen, without a cursor, and keys that are read as they are pressed.
///
/// Used from one thread.
public final class FullScreen {
    private static let enter = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[2J"
    private static let leave: StaticString = "\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

    private let output: Int32
    private let color: TableColor
    /// The keyboard and its mode before; nil: there is none.
    private let keyboard: (descriptor: Int32, mode: termios)?
    private var isEntered = false
    private var shown: [StyledLine]?

    /// Takes the terminal at `output`, and the keys of the one at `input` if that is a terminal.
    public init(output: Int32, input: Int32, color: TableColor) {
        (self.output, self.color) = (output, color)
        var mode = termios()
        keyboard = tcgetattr(input, &mode) == 0 ? (input, mode) : nil
        resume()
    }

    /// The descriptor that is readable when ``keys()`` has something; nil: there is no keyboard.
    public var keyboardDescriptor: Int32? { keyboard?.descriptor }

    /// The size of the window; 80 by 24 where the terminal does not know it, as on a serial line.
    public var size: TableSize {
        var window = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return TableSize(columns: 80, rows: 24)
        }
        return TableSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }

    /// Takes the terminal, again after ``suspend()`` or when another program may have written on it.
    public func resume() {
        if let keyboard {
            var mode = keyboard.mode
            // Ctrl-C and Ctrl-Z stay signals.
            mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
            withUnsafeMutableBytes(of: &mode.c_cc) { keys in
                keys[Int(VMIN)] = 0
                keys[Int(VTIME)] = 0
            }
            tcsetattr(keyboard.descriptor, TCSANOW, &mode)
            var before = keyboard.mode
            Self.leave.withUTF8Buffer { text in
                // A static string ends with a zero byte, and stays.
                text.withMemoryRebound(to: CChar.self) {
                    sonde_restore_terminal_at_crashes(keyboard.descriptor, &before, $0.baseAddress)
                }
            }
        }
        write(Array(Self.enter.utf8))
        (isEntered, shown) = (true, nil)
    }

    /// Gives the terminal back.
    public func suspend() {
        guard isEntered else { return }
        isEntered = false
        write(Self.leave.withUTF8Buffer(Array.init))
        guard let keyboard else { return }
        sonde_restore_terminal_at_crashes(-1, nil, nil)
        var mode = keyboard.mode
        tcsetattr(keyboard.descriptor, TCSANOW, &mode)
    }

    deinit {
        suspend()
    }

    /// The bytes of keys that were pressed; nil: the terminal is gone.
    public func keys() -> [UInt8]? {
        guard let keyboard else { return nil }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(keyboard.descriptor, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    /// Shows lines from the top on; what has not changed is not written again.
    public func show(_ lines: [StyledLine]) {
        guard lines != shown else { return }
        var buffer = ByteBuffer()
        if shown == nil { buffer.append(literal: "\u{1b}[2J") }
        for (index, line) in lines.enumerated() {
            if let shown, index < shown.count, shown[index] == line { continue }
            // Erased first: after a line that fills the window the cursor stands on its last character still.
            buffer.append("\u{1b}[\(index + 1);1H\u{1b}[K")
            line.append(to: &buffer, color: color)
        }
        if let shown, shown.count > lines.count { buffer.append("\u{1b}[\(lines.count + 1);1H\u{1b}[J") }
        shown = lines
        write(buffer.bytes)
    }

    /// Forgets what is shown: the window has another size.
    public func invalidate() {
        shown = nil
    }

    private func write(_ bytes: [UInt8]) {
        // A terminal that is gone is no failure here: its end is read from the keyboard, or comes as a signal.
        _ = DescriptorWriter.write(bytes, to: output)
    }
}
