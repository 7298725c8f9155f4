internal import Glibc
internal import SondeDomain

/// Waiting for descriptors.
enum Poll {
    /// Why a wait ended.
    enum Wake {
        /// The cancel descriptor became readable.
        case cancelled
        /// It is time to read, or to commit.
        case ready
    }

    /// Waits until one of `descriptors` or `cancel` is readable, at most for `span`; negative descriptors are left out.
    static func wait(_ cancel: Int32, _ descriptors: [Int32], _ span: Nanoseconds) -> Wake {
        var entries = ([cancel] + descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let milliseconds = span.value / 1_000_000 &+ (span.value % 1_000_000 > 0 ? 1 : 0)
        _ = poll(&entries, nfds_t(entries.count), Int32(clamping: max(0, milliseconds)))
        return entries.first.map { $0.revents != 0 } ?? false ? .cancelled : .ready
    }
}
