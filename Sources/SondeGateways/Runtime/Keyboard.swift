internal import Glibc

/// The keyboard while the agent paints the terminal: keys are read at once and not echoed.
///
/// Used from the loop's thread.
public final class Keyboard {
    /// The result of reading the keys.
    enum Press {
        /// The agent should end.
        case quit
        /// No key with a function.
        case other
        /// There will be no more keys: the terminal is closed, or belongs to another program now.
        case end
    }

    let descriptor: Int32
    private var before: termios

    /// Nil where `descriptor` is not a terminal, or another program reads its keys.
    public init?(_ descriptor: Int32) {
        var mode = termios()
        let owner = tcgetpgrp(descriptor)
        // The owner of a terminal that does not control this process is not known.
        guard owner < 0 || owner == getpgrp(), tcgetattr(descriptor, &mode) == 0 else { return nil }
        // Otherwise reading the keys of another program would stop this one.
        signal(SIGTTIN, SIG_IGN)
        signal(SIGTTOU, SIG_IGN)
        self.descriptor = descriptor
        before = mode
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
        withUnsafeMutableBytes(of: &mode.c_cc) { keys in
            keys[Int(VMIN)] = 0
            keys[Int(VTIME)] = 0
        }
        guard tcsetattr(descriptor, TCSANOW, &mode) == 0 else { return nil }
    }

    /// Restores the terminal.
    public func restore() {
        tcsetattr(descriptor, TCSANOW, &before)
    }

    /// Takes the keys that were pressed; does not wait.
    func read() -> Press {
        var keys = [UInt8](repeating: 0, count: 64)
        let count = Glibc.read(descriptor, &keys, keys.count)
        guard count > 0 else { return count < 0 && errno == EINTR ? .other : .end }
        return keys.prefix(count).contains { $0 == UInt8(ascii: "q") || $0 == UInt8(ascii: "Q") } ? .quit : .other
    }
}
