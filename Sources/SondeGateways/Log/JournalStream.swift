internal import Glibc
public import SondeEngine

/// Whether a descriptor leads to the journal, which adds the time to each line itself.
public enum JournalStream {
    /// What lines of text written to `descriptor` should begin with.
    ///
    /// systemd names the journal's stream by device and inode in JOURNAL_STREAM, systemd.exec(5).
    public static func stamp(of descriptor: Int32, _ environment: any EnvironmentReader) -> StreamLog.Stamp {
        var status = stat()
        guard let stream = environment.value(of: "JOURNAL_STREAM"), fstat(descriptor, &status) == 0 else {
            return .time
        }
        return stream == "\(status.st_dev):\(status.st_ino)" ? .none : .time
    }
}
