internal import Glibc
internal import SondeDomain
internal import SondeGateways

/// Shows the progress of a long inspection on a terminal.
///
/// It uses the read position in the file: plugins need not report anything.
final class InspectProgress {
    private let cancel: CancelSignal?
    private let thread: PluginThread?
    private var isOver = false

    private static let pause: Int32 = 250

    /// Begins to show it, if standard error is a terminal and the file has a length.
    init(_ file: FileToInspect, isWanted: Bool) {
        let isTerminal = isWanted && isatty(STDERR_FILENO) == 1
        guard isTerminal, let length = file.length, length > 0, let signal = try? CancelSignal() else {
            (cancel, thread) = (nil, nil)
            return
        }
        let (descriptor, event) = (file.descriptor, signal.descriptor)
        cancel = signal
        thread = try? PluginThread(name: "progress") { Self.show(descriptor, of: length, until: event) }
    }

    /// Removes the line, before other output.
    func end() {
        guard !isOver else { return }
        isOver = true
        cancel?.cancel()
        thread?.join()
    }

    private static func show(_ descriptor: Int32, of length: Int64, until event: Int32) {
        var entry = pollfd(fd: event, events: Int16(POLLIN), revents: 0)
        var isShown = false
        while poll(&entry, 1, pause) == 0 {
            let position = min(Int64(lseek(descriptor, 0, SEEK_CUR)), length)
            guard position >= 0 else { continue }
            isShown = true
            let percent = position / max(1, length / 100)
            draw("\r\(position >> 20) of \(length >> 20) MiB read (\(min(percent, 100)) %)\u{1b}[K")
        }
        if isShown { draw("\r\u{1b}[K") }
    }

    private static func draw(_ text: String) {
        var text = text
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
