internal import Glibc
public import SondeDomain
public import SondeEngine
internal import SondeFormats

/// Keeps refused batches as files in a directory, one per batch, the newest within a bound in bytes.
///
/// Files are named by epoch and stretch, so their names sort by age within an epoch; docs/spec/spool.md describes them.
/// What is removed for newer ones is entered into the loss ledger as `dead_letter_evicted`.
public final class DirectoryDeadLetterStore: DeadLetterArchive {
    private let folder: DeadLetterFolder
    private let maxBytes: Int64
    private let ledger: LossLedger
    private let log: any EventLog
    private let fileSystem: any FileSystem
    private let interner = SeriesInterner(from: SeriesInterner.firstDeadLetterID, others: 8192...8192)
    private var encoder = JSONLineEncoder()
    private var isTooLargeLogged = false

    /// A store in `directory`, which is made when the first batch is kept.
    public init(
        directory: String,
        maxBytes: Int64,
        fileSystem: any FileSystem = PosixFileSystem(),
        ledger: LossLedger,
        log: any EventLog
    ) {
        folder = DeadLetterFolder(directory: directory)
        self.fileSystem = fileSystem
        self.maxBytes = maxBytes
        self.ledger = ledger
        self.log = log
    }

    /// Writes the batch to a file that survives a power cut from then on, after the oldest files have made room.
    public func keep(_ batch: Batch, because error: SondeError, at time: Timestamp) -> Bool {
        var buffer = ByteBuffer()
        buffer.append(Self.line(DeadLetterHeading(batch, because: error, at: time), batch.resource))
        appendExactForm(of: batch, to: &buffer)
        _ = encoder.encode(batch, into: &buffer)
        guard Int64(buffer.count) <= maxBytes else {
            logTooLarge(buffer.count, of: batch)
            return false
        }
        let identity = batch.identity
        let name = "\(identity.epoch)-\(padded(identity.first))-\(padded(identity.last))\(DeadLetterFolder.suffix)"
        do throws(FileSystemError) {
            try makeDirectory()
            makeRoom(for: Int64(buffer.count))
            try fileSystem.replace(name, in: folder.directory, with: buffer.bytes)
            return true
        } catch {
            log.log(.warning, "a refused batch could not be kept: \(error.text)", component: batch.sink)
            return false
        }
    }

    private func logTooLarge(_ count: Int, of batch: Batch) {
        guard !isTooLargeLogged else { return }
        isTooLargeLogged = true
        log.log(
            .warning,
            "a refused batch could not be kept: with \(count) bytes it is larger than dead_letter.max_bytes, "
                + SizeText.text(of: maxBytes), component: batch.sink)
    }

    /// The names of what is kept, the oldest first.
    public var names: [String] {
        files.map(\.name).filter(DeadLetterFolder.isName)
    }

    /// A dead letter's heading.
    public func heading(of name: String) -> DeadLetterHeading? {
        folder.heading(of: name)?.heading
    }

    /// The batch as it was refused.
    public func load(_ name: String) throws(SondeError) -> Batch {
        guard DeadLetterFolder.isName(name), folder.file(name) != nil else {
            throw .spool(.deadLetterMissing, "there is no dead letter '\(name)'")
        }
        guard let (heading, resource) = folder.heading(of: name), let identity = BatchIdentity(heading.batch),
            let bytes = folder.exactForm(of: name),
            let batch = ExactBatch.decode(bytes, identity, sink: heading.sink, resource: resource, interner)
        else { throw .spool(.deadLetterUnreadable, "the dead letter '\(name)' has no exact form that can be read") }
        return batch
    }

    /// Writes the new reason into the heading; what cannot be written stays as it was.
    public func noteRefusal(_ name: String, because error: SondeError, at time: Timestamp) {
        guard let known = folder.heading(of: name),
            let contents = try? PosixFileReader().read(folder.path(name), limit: Int(clamping: maxBytes)),
            let end = contents.bytes.firstIndex(of: 0x0a)
        else { return }
        var heading = known.heading
        heading.time = time
        heading.code = error.code.text
        heading.failureClass = error.failureClass.name
        heading.message = error.message
        var buffer = ByteBuffer()
        buffer.append(Self.line(heading, known.resource))
        buffer.append(contents.bytes[(end + 1)...])
        try? fileSystem.replace(name, in: folder.directory, with: buffer.bytes)
    }

    /// Removes a dead letter.
    public func remove(_ name: String) -> Bool {
        DeadLetterFolder.isName(name) && unlink(folder.path(name)) == 0
    }

    private static func line(_ heading: DeadLetterHeading, _ resource: Resource) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("schema", DeadLetterHeading.schema)
            heading.writeMembers(to: &json)
            resource.writeMembers(to: &json)
        }
        return json.bytes + [0x0a]
    }

    private func appendExactForm(of batch: Batch, to buffer: inout ByteBuffer) {
        guard let frame = ExactBatch.encode(batch) else { return }
        buffer.append(DeadLetterFolder.exactHead)
        buffer.append(Base64.encode(frame))
        buffer.append(literal: "\"}\n")
    }

    /// Makes the folder, and the one of all sinks that contains it.
    private func makeDirectory() throws(FileSystemError) {
        let parents = [folder.directory, Self.parent(of: folder.directory)]
        try fileSystem.requireDirectory(parents[1], in: Self.parent(of: parents[1]))
        try fileSystem.requireDirectory(parents[0], in: parents[1])
    }

    private static func parent(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    private func makeRoom(for size: Int64) {
        var files = self.files[...]
        var total = files.reduce(0) { $0 &+ $1.bytes }
        while total > maxBytes &- size, let oldest = files.popFirst() {
            total &-= oldest.bytes
            let heading = folder.heading(of: oldest.name)?.heading
            guard unlink(folder.path(oldest.name)) == 0, let heading else { continue }
            ledger.record(heading.loss(.deadLetterEvicted))
        }
    }

    /// The files kept and what a crash has left half-written, the oldest first.
    private var files: [DeadLetterFolder.File] {
        let all = (try? PosixFileReader().names(inDirectory: folder.directory)) ?? []
        return all.filter { $0.hasSuffix(DeadLetterFolder.suffix) || $0.hasSuffix(".new") }
            .compactMap(folder.file)
            .sorted { ($0.modified, $0.name) < ($1.modified, $1.name) }
    }

    // Twenty digits hold every sequence number, so that names sort as numbers do.
    private func padded(_ number: UInt64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: 20 - digits.count) + digits
    }
}
