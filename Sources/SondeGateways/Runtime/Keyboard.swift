internal import Glibc

/// The keys that a person presses while the agent paints the terminal: they are read at once and not shown.
///
/// Used from the loop's thread.
public final class Keyboard {
    /// What a look at the keys has found.
    enum Press {
        /// The agent should end.
        case quit
        /// Nothing that means anything.
        case other
        /// There will be no more keys: the terminal has gone, or belongs to another program now.
        case end
    }

    let descriptor: Int32
    private var before: termios

    /// Nil where `descriptor` is no terminal, or another program has its keys.
    public init?(_ descriptor: Int32) {
        var mode = termios()
        let owner = tcgetpgrp(descriptor)
        // A terminal that does not control this process has no owner that it knows of.
        guard owner < 0 || owner == getpgrp(), tcgetattr(descriptor, &mode) == 0 else { return nil }
        // Else a look at the keys of another program would stop this one.
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

    /// Gives the terminal back as it was.
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
