internal import Glibc
public import SondeDomain
public import SondeEngine
internal import SondeFormats

/// Keeps what the agent knows of remote configurations in one file of the state directory, which is replaced as a whole.
///
/// A first line with a checksum of the rest, a line of JSON, and the texts that it counts. While it is open no other agent can open
/// it.
public struct RemoteStateFile: RemoteStore {
    private static let folder = "remote"
    private static let name = "state"
    private static let magic = "sonde-remote-state-1 "
    // Two texts of the greatest bound, and what is said of them.
    private static let limit = 4 << 20

    private let directory: String
    private let fileSystem: any FileSystem
    /// Held for as long as this is used; nil: only read.
    private let lock: (any OpenFile)?

    /// The file of a state directory, for the agent that runs; makes the directory, and throws where that is not possible or another
    /// agent has it.
    public init(openingIn state: String, fileSystem: any FileSystem = PosixFileSystem()) throws(SondeError) {
        try StateDirectory.require(state)
        directory = "\(state)/\(Self.folder)"
        self.fileSystem = fileSystem
        do throws(FileSystemError) {
            try fileSystem.requireDirectory(directory, in: state)
            let file = try fileSystem.open("\(directory)/lock", .openOrCreate)
            try file.lock()
            lock = file
        } catch {
            let reason = error.code == FileSystemError.wouldBlock ? "another agent uses it" : error.text
            throw Self.unusable("'\(directory)' cannot be used: \(reason)")
        }
        try StateDirectory.require(state)
    }

    /// The file of a state directory, to look at.
    init(readingIn state: String) {
        directory = "\(state)/\(Self.folder)"
        fileSystem = PosixFileSystem()
        lock = nil
    }

    /// What was kept; throws where it was damaged.
    public func load() throws(SondeError) -> RemoteState {
        let path = "\(directory)/\(Self.name)"
        let bytes: [UInt8]
        do throws(FileSystemError) {
            bytes = try fileSystem.open(path, .read).readWhole(Self.limit, at: 0)
        } catch {
            guard error.code != FileSystemError.notFound else { return RemoteState() }
            throw Self.unusable("'\(path)' cannot be read: \(error.text)")
        }
        guard let state = Self.state(in: bytes) else {
            throw Self.unusable("'\(path)' is damaged: no remote configuration is in force until one is fetched")
        }
        return state
    }

    /// Keeps a state.
    public func save(_ state: RemoteState) throws(SondeError) {
        do throws(FileSystemError) {
            try fileSystem.replace(Self.name, in: directory, with: Self.bytes(of: state))
        } catch {
            throw Self.unusable("'\(directory)/\(Self.name)' cannot be written: \(error.text)")
        }
    }

    private static func unusable(_ message: String) -> SondeError {
        SondeError(remote: .remoteStateUnusable, message)
    }
}

// The format.
extension RemoteStateFile {
    static func bytes(of state: RemoteState) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("newest", state.newest)
            if let good = state.good { json.member("good") { good.writeHead(to: &$0) } }
            if let probation = state.probation {
                json.member("trial") { probation.layer.writeHead(to: &$0) }
                json.member("starts", probation.starts)
                json.member("before", probation.before.sorted())
                if case .instances(let ids) = probation.reach { json.member("reach", ids.sorted()) }
            }
            if let failed = state.failed {
                json.member("failed") { json in
                    json.object { json in
                        json.member("serial", failed.serial)
                        json.member("etag", failed.etag)
                        json.member("reason", failed.reason)
                    }
                }
            }
        }
        let body = json.bytes + [0x0a] + (state.good?.text ?? []) + (state.probation?.layer.text ?? [])
        return Array("\(magic)\(checksum(of: body))\n".utf8) + body
    }

    /// The state in a file; nil when it is not whole.
    static func state(in bytes: [UInt8]) -> RemoteState? {
        guard bytes.starts(with: magic.utf8), let end = bytes.firstIndex(of: 0x0a) else { return nil }
        let body = Array(bytes[(end + 1)...])
        guard String(decoding: bytes[magic.utf8.count..<end], as: UTF8.self) == checksum(of: body),
            let lineEnd = body.firstIndex(of: 0x0a), let json = try? JSONReader.parse(Array(body[..<lineEnd])),
            let newest = json["newest"]?.asUInt64
        else { return nil }
        var texts = body[(lineEnd + 1)...]
        var state = RemoteState()
        state.newest = newest
        if let head = json["good"] {
            guard let good = RemoteLayer(head, &texts) else { return nil }
            state.good = good
        }
        if let head = json["trial"] {
            guard let layer = RemoteLayer(head, &texts) else { return nil }
            var probation = RemoteState.Probation(layer, before: json.words("before") ?? [])
            probation.starts = Int(min(json["starts"]?.asUInt64 ?? 0, UInt64(RemoteState.crashLoop)))
            if let ids = json.words("reach") { probation.reach = .instances(ids) }
            state.probation = probation
        }
        if let failed = json["failed"], let serial = failed["serial"]?.asUInt64 {
            state.failed = .init(
                serial: serial, etag: failed["etag"]?.asString ?? "", reason: failed["reason"]?.asString ?? "")
        }
        return texts.isEmpty ? state : nil
    }

    private static func checksum(of bytes: [UInt8]) -> String {
        let digits = String(bytes.withUnsafeBytes { CRC32C.checksum($0) }, radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }
}

extension RemoteLayer {
    fileprivate func writeHead(to json: inout JSONWriter) {
        json.object { json in
            json.member("serial", serial)
            json.member("etag", etag)
            json.member("size", text.count)
        }
    }

    /// A layer by its head, with its text from the front of what is left; nil when that is not there.
    fileprivate init?(_ head: JSONValue, _ texts: inout ArraySlice<UInt8>) {
        guard let serial = head["serial"]?.asUInt64, let size = head["size"]?.asUInt64.flatMap({ Int(exactly: $0) }),
            size <= texts.count
        else { return nil }
        self.init(serial: serial, text: Array(texts.prefix(size)), etag: head["etag"]?.asString ?? "")
        texts = texts.dropFirst(size)
    }
}

extension JSONValue {
    /// The texts of a member that is an array; nil when there is none.
    fileprivate func words(_ key: String) -> Set<String>? {
        self[key]?.asArray.map { Set($0.compactMap(\.asString)) }
    }
}
