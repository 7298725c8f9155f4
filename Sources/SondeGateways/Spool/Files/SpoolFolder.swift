internal import SondeEngine

/// The folder of a spool: the names of its files, and what all parts of the spool share.
struct SpoolFolder: Sendable {
    private static let lockName = "LOCK"
    private static let endName = "END"

    let settings: DiskSpoolSettings
    let fileSystem: any FileSystem
    let failures: SpoolFailures
    let interner = SeriesInterner()

    init(_ settings: DiskSpoolSettings, _ fileSystem: any FileSystem) {
        self.settings = settings
        self.fileSystem = fileSystem
        failures = SpoolFailures(directory: settings.directory)
    }

    var path: String { settings.directory }
    var lock: String { "\(path)/\(Self.lockName)" }
    var end: String { "\(path)/\(Self.endName)" }
    var quarantine: String { "\(path)/quarantine" }
    /// Whether anything is to survive a power cut.
    var isSynced: Bool { settings.synchronization != .none }

    func segment(_ first: UInt64) -> String { "\(path)/\(Self.segmentName(first))" }
    func cursor(_ sink: String) -> String { "\(path)/\(sink).cur" }

    /// Opens a segment, again after an I/O error.
    func open(_ first: UInt64, _ opening: FileOpening = .read) throws(FileSystemError) -> any OpenFile {
        try PatientReading.run { () throws(FileSystemError) in try fileSystem.open(segment(first), opening) }
    }

    /// Whether a name in the folder is that of a file that is written to while the agent runs.
    static func isOwn(_ name: String) -> Bool {
        segmentFirst(name) != nil || cursorSink(name) != nil || name == endName || name == lockName
    }

    static func segmentName(_ first: UInt64) -> String {
        let digits = String(first, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits + ".seg"
    }

    /// The first number of the segment of that name; nil when it is not a segment's.
    static func segmentFirst(_ name: String) -> UInt64? {
        guard name.utf8.count == 20, name.hasSuffix(".seg"), let first = UInt64(name.dropLast(4), radix: 16) else {
            return nil
        }
        return first > 0 && first < UInt64(Int64.max) && segmentName(first) == name ? first : nil
    }

    /// The sink of the cursor of that name; nil when it is not a cursor's.
    static func cursorSink(_ name: String) -> String? {
        name.hasSuffix(".cur") && name.utf8.count > 4 ? String(name.dropLast(4)) : nil
    }
}
