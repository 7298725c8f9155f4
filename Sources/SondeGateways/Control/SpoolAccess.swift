internal import Glibc
internal import SondeDomain
public import SondeEngine
internal import Synchronization

/// What requests about the spool use.
public final class SpoolAccess: Sendable {
    /// The places of the files.
    public struct Folders: Sendable {
        /// The spool's own; nil: a log in memory.
        public var spool: String?
        /// The folder with one folder of dead letters per sink; nil: none are kept.
        public var deadLetters: String?

        /// Folders.
        public init(spool: String?, deadLetters: String?) {
            self.spool = spool
            self.deadLetters = deadLetters
        }
    }

    let store: any SpoolStore
    let agent: String
    let folders: Folders
    private let sinks: Mutex<[String: SinkOrders]>

    /// Access to the log of an agent; `sinks` takes orders.
    public init(
        store: any SpoolStore,
        agent: String,
        folders: Folders,
        sinks: [SinkOrders]
    ) {
        self.store = store
        self.agent = agent
        self.folders = folders
        self.sinks = Mutex(Dictionary(sinks.map { ($0.sink, $0) }) { first, _ in first })
    }

    /// Adds a sink by its orders, replacing one of the same id.
    public func admit(_ orders: SinkOrders) {
        sinks.withLock { $0[orders.sink] = orders }
    }

    /// Removes a sink.
    public func dismiss(_ orders: SinkOrders) {
        sinks.withLock { sinks in
            if sinks[orders.sink] === orders { sinks[orders.sink] = nil }
        }
    }

    /// Takes orders for a sink.
    ///
    /// Throws ``SondeDomain/ErrorCode/spoolSinkUnknown`` when the agent does not have it.
    func orders(for sink: String) throws(SondeError) -> SinkOrders {
        let sinks = sinks.withLock { $0 }
        guard let orders = sinks[sink] else {
            let known = sinks.keys.sorted().joined(separator: ", ")
            throw .spool(.spoolSinkUnknown, "there is no sink '\(sink.prefix(64))'; there are: \(known)")
        }
        return orders
    }

    /// The folders of dead letters by sink, also of sinks that the configuration does not name any more.
    var letterFolders: [(sink: String, folder: DeadLetterFolder)] {
        guard let parent = folders.deadLetters else { return [] }
        return ((try? PosixFileReader().names(inDirectory: parent)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
            .map { ($0, DeadLetterFolder(directory: "\(parent)/\($0)")) }
    }

    /// The folder of one sink; nil: it has none.
    func letterFolder(of sink: String) -> DeadLetterFolder? {
        letterFolders.first { $0.sink == sink }?.folder
    }
}

/// A file of the spool that is not read any more.
struct SetAsideFile: Hashable {
    let name: String
    let bytes: Int64

    /// The contents of the quarantine of a spool, and its segments of other versions.
    static func all(in directory: String) -> [SetAsideFile] {
        let reader = PosixFileReader()
        let quarantined = ((try? reader.names(inDirectory: "\(directory)/quarantine")) ?? []).map { "quarantine/\($0)" }
        let versions = ((try? reader.names(inDirectory: directory)) ?? []).filter { $0.split(separator: ".").count > 2 }
        return (quarantined + versions.filter { !$0.hasSuffix(".new") && $0.hasPrefix("0") }).sorted().compactMap {
            name in
            var status = stat()
            guard lstat("\(directory)/\(name)", &status) == 0 else { return nil }
            return SetAsideFile(name: name, bytes: Int64(status.st_size))
        }
    }
}
