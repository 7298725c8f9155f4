import Foundation
import SondeFormats
import SondeTestKit
import Testing

@testable import StdoutPlugin

struct TerminalTests {
    @Test func aTerminalTellsItsSize() throws {
        let terminal = try PseudoTerminal()
        terminal.resize(columns: 100, rows: 30)
        #expect(Terminal.windowSize(terminal.descriptor, terminalName: "xterm") == TableSize(columns: 100, rows: 30))
    }

    @Test func aTerminalOfUnknownSizeIsTakenAsUsual() throws {
        let terminal = try PseudoTerminal()
        #expect(Terminal.windowSize(terminal.descriptor, terminalName: "vt100") == TableSize(columns: 80, rows: 24))
    }

    @Test func whatCannotMoveItsCursorIsNoTerminal() throws {
        let terminal = try PseudoTerminal()
        #expect(Terminal.windowSize(terminal.descriptor, terminalName: "dumb") == nil)
        #expect(Terminal.windowSize(terminal.descriptor, terminalName: nil) == nil)
        #expect(Terminal.windowSize(TestPipe().writeEnd.fileDescriptor, terminalName: "xterm") == nil)
    }

    @Test func aTerminalGetsTheWholeFrame() throws {
        let terminal = try PseudoTerminal()
        let harness = try TestedSink.harness(to: terminal.descriptor, ["columns": .integer(80), "rows": .integer(24)])
        try harness.deliver(.documents(fixture("bandwidth.json")))
        let text = try terminal.output(until: "\u{1b}[J")
        #expect(text.contains("1.23 MB/s"))
    }
}

/// A terminal whose other end the test holds.
private final class PseudoTerminal {
    let descriptor: Int32
    private let other: Int32

    init() throws {
        other = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var lock: Int32 = 0
        var number: UInt32 = 0
        // TIOCSPTLCK and TIOCGPTN (include/uapi/asm-generic/ioctls.h), which the C library's functions wrap.
        try #require(ioctl(other, 0x4004_5431, &lock) == 0 && ioctl(other, 0x8004_5430, &number) == 0)
        descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(descriptor >= 0)
    }

    deinit {
        close(descriptor)
        close(other)
    }

    func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(other, UInt(TIOCSWINSZ), &size)
    }

    func output(until end: String) throws -> String {
        var text = ""
        while !text.contains(end) {
            var piece = [UInt8](repeating: 0, count: 4_096)
            let count = read(other, &piece, piece.count)
            try #require(count > 0)
            text += String(decoding: piece.prefix(count), as: UTF8.self)
        }
        return text
    }
}
