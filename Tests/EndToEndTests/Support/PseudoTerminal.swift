import Glibc

/// A terminal of a given size: a program gets `child`, the test reads from `screen`.
///
/// The requests are those of asm-generic/ioctls.h; the module map of glibc leaves macros with a size out.
struct PseudoTerminal {
    private static let lock = UInt(0x4004_5431)
    private static let number = UInt(0x8004_5430)
    private static let setSize = UInt(0x5414)

    let screen: ByteStream
    let child: Int32

    private let master: Int32

    init(rows: UInt16, columns: UInt16) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard master >= 0 else { throw Loopback.Failure(call: "/dev/ptmx") }
        screen = ByteStream(master)
        var unlocked: Int32 = 0
        var index: Int32 = 0
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard ioctl(master, Self.lock, &unlocked) == 0, ioctl(master, Self.number, &index) == 0,
            ioctl(master, Self.setSize, &size) == 0
        else { throw Loopback.Failure(call: "ioctl") }
        child = open("/dev/pts/\(index)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard child >= 0 else { throw Loopback.Failure(call: "/dev/pts/\(index)") }
    }

    /// Gives it another size; a program that it does not control has to be sent SIGWINCH.
    func resize(rows: UInt16, columns: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, Self.setSize, &size)
    }

    /// How its lines and keys are treated now.
    var mode: termios {
        var mode = termios()
        tcgetattr(child, &mode)
        return mode
    }
}
