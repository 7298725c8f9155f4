internal import SondeDomain

/// The first bytes of a segment: which log it belongs to, and what must outlive the segments before it.
struct SegmentHeader: Hashable {
    /// Why a header could not be read.
    enum Flaw: Error, Hashable {
        /// A later version of the agent wrote it.
        case later(UInt16)
        /// It is cut off, or not one.
        case damaged
    }

    /// `SONDESPL`.
    static let magic: UInt64 = 0x4c50_5345_444e_4f53
    /// That of all files in the folder: a change of any of them raises it.
    static let version: UInt16 = 1
    /// Magic, version, reserve and length.
    static let fixedLength = 16
    /// No header is longer.
    static let maxLength = 16 << 20
    /// How many earlier logs a header names.
    static let mostEarlier = 8

    /// The position of a durable sink.
    struct Place: Hashable {
        var sink: String
        /// The next number that was not acknowledged according to its cursor file.
        var next: UInt64
    }

    var epoch: String
    var summary: SegmentSummary
    /// Every number below survives a power cut.
    var safeEnd: UInt64
    /// The last checkpoint of each source.
    var checkpoints: [String: [UInt8]]
    /// Numbers that are missing and were reported.
    var gaps: [SequenceRange]
    /// The segments that were there when this one was made.
    var directory: [SegmentSummary]
    /// The machine that wrote it; nil: not known.
    var machine: String?
    /// The epochs under which this log was known before, the newest first.
    var earlier: [String]
    /// The sinks that have a cursor.
    var readers: [Place]
    /// What the segment's points have in common.
    var resource: Resource

    var bytes: [UInt8] {
        var writer = ByteWriter()
        write(to: &writer)
        return Array(writer.bytes)
    }

    private func write(to writer: inout ByteWriter) {
        let start = writer.count
        writer.append(Self.magic)
        writer.append(Self.version)
        writer.append(UInt16(0))
        writer.append(UInt32(0))
        writer.append(contentsOf: epoch.utf8.prefix(SpoolEpoch.length))
        summary.write(to: &writer)
        writer.append(safeEnd)
        writer.append(variable: UInt64(checkpoints.count))
        for (source, bytes) in checkpoints.sorted(by: { $0.key < $1.key }) {
            writer.append(text: source)
            writer.append(counted: bytes)
        }
        writer.append(variable: UInt64(gaps.count))
        for gap in gaps {
            writer.append(gap.first)
            writer.append(gap.end)
        }
        writer.append(variable: UInt64(directory.count))
        for summary in directory { summary.write(to: &writer) }
        writer.append(text: machine ?? "")
        writer.append(variable: UInt64(earlier.count))
        for epoch in earlier { writer.append(contentsOf: epoch.utf8.prefix(SpoolEpoch.length)) }
        writer.append(variable: UInt64(readers.count))
        for place in readers {
            writer.append(text: place.sink)
            writer.append(place.next)
        }
        writer.append(UInt8(resource.host == nil ? 0 : 1))
        if let host = resource.host { writer.append(text: host) }
        writer.append(text: resource.agentVersion)
        writer.append(variable: UInt64(resource.labels.count))
        for label in resource.labels {
            writer.append(text: label.name)
            writer.append(text: label.value)
        }
        writer.set(UInt32(clamping: writer.count - start + 4), at: start + 12)
        writer.append(writer.withBytes(from: start) { CRC32C.checksum($0) })
    }

    // A `var` takes no more.
    private static let mostVariable = 10

    /// No header with so many gaps and summaries is larger, apart from its checkpoints, sinks and resource.
    static func boundWithoutSources(gaps: Int, summaries: Int, machine: String?) -> Int {
        let epochs = SpoolEpoch.length * (1 + mostEarlier)
        let fixed = fixedLength + epochs + SegmentSummary.length + 8 + 6 * mostVariable + 4
        return fixed &+ 16 &* gaps &+ SegmentSummary.length &* summaries &+ (machine?.utf8.count ?? 0)
    }

    /// The maximum size of a sink in a header.
    static func bound(ofSink sink: String) -> Int { mostVariable &+ sink.utf8.count &+ 8 }

    /// The maximum size of a resource in a header.
    static func bound(of resource: Resource) -> Int {
        let texts = (resource.host ?? "").utf8.count &+ resource.agentVersion.utf8.count
        return resource.labels.reduce(1 &+ 3 &* mostVariable &+ texts) { sum, label in
            sum &+ 2 &* mostVariable &+ label.name.utf8.count &+ label.value.utf8.count
        }
    }

    /// The maximum size of a checkpoint in a header.
    static func bound(ofCheckpoint bytes: [UInt8], of source: String) -> Int {
        2 * mostVariable &+ source.utf8.count &+ bytes.count
    }

    /// The version of the header that begins with these 16 bytes, where this agent does not know it.
    static func laterVersion(_ bytes: UnsafeRawBufferPointer) -> UInt16? {
        do throws(Flaw) {
            _ = try length(bytes)
            return nil
        } catch .later(let version) {
            return version
        } catch {
            return nil
        }
    }

    /// How long the header is that begins with these 16 bytes.
    static func length(_ bytes: UnsafeRawBufferPointer) throws(Flaw) -> Int {
        var reader = ByteReader(bytes)
        guard reader.number(UInt64.self) == magic else { throw .damaged }
        let version = reader.number(UInt16.self)
        _ = reader.number(UInt16.self)
        let length = reader.number(UInt32.self)
        guard reader.isValid else { throw .damaged }
        guard version <= Self.version else { throw .later(version) }
        guard version == Self.version else { throw .damaged }
        guard length > UInt32(fixedLength), length <= UInt32(maxLength) else { throw .damaged }
        return Int(length)
    }
}

extension SegmentHeader {
    /// Reads a whole header.
    init(_ bytes: UnsafeRawBufferPointer) throws(Flaw) {
        guard bytes.count >= Self.fixedLength + 4, try Self.length(bytes) == bytes.count else { throw .damaged }
        let checked = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - 4)])
        var end = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[(bytes.count - 4)...]))
        guard end.number(UInt32.self) == CRC32C.checksum(checked) else { throw .damaged }
        var reader = ByteReader(UnsafeRawBufferPointer(rebasing: checked[Self.fixedLength...]))
        epoch = reader.text(ofLength: SpoolEpoch.length)
        guard let summary = SegmentSummary(&reader) else { throw .damaged }
        self.summary = summary
        safeEnd = reader.number(UInt64.self)
        checkpoints = Self.checkpoints(&reader)
        gaps = (0..<reader.count(ofAtLeast: 16)).map { _ in
            SequenceRange(first: reader.number(UInt64.self), end: reader.number(UInt64.self))
        }
        directory = Self.directory(&reader)
        let machine = reader.text()
        self.machine = machine.isEmpty ? nil : machine
        earlier = (0..<reader.count(ofAtLeast: SpoolEpoch.length)).map { _ in
            reader.text(ofLength: SpoolEpoch.length)
        }
        readers = (0..<reader.count(ofAtLeast: 9)).map { _ in
            Place(sink: reader.text(), next: reader.number(UInt64.self))
        }
        resource = Self.resource(&reader)
        guard reader.isValid, UUIDText.isValid(epoch) else { throw .damaged }
    }

    private static func checkpoints(_ reader: inout ByteReader) -> [String: [UInt8]] {
        var checkpoints: [String: [UInt8]] = [:]
        for _ in 0..<reader.count(ofAtLeast: 2) {
            let source = reader.text()
            checkpoints[source] = Array(reader.counted())
        }
        return checkpoints
    }

    private static func directory(_ reader: inout ByteReader) -> [SegmentSummary] {
        var directory: [SegmentSummary] = []
        for _ in 0..<reader.count(ofAtLeast: SegmentSummary.length) {
            guard let summary = SegmentSummary(&reader) else {
                reader.fail()
                break
            }
            directory.append(summary)
        }
        return directory
    }

    private static func resource(_ reader: inout ByteReader) -> Resource {
        let hasHost = reader.byte()
        if hasHost > 1 { reader.fail() }
        let host = hasHost == 1 ? reader.text() : nil
        let version = reader.text()
        let labels = (0..<reader.count(ofAtLeast: 2)).map { _ in Attribute(reader.text(), reader.text()) }
        return Resource(host: host, agentVersion: version, labels: labels)
    }
}
