internal import SondeDomain

/// The first bytes of a segment: which log it belongs to, and what must outlive the segments before it.
struct SegmentHeader: Hashable {
    /// Why a header could not be read.
    enum Flaw: Error, Hashable {
        /// Another version wrote it.
        case version(UInt16)
        /// It is cut off, or not one.
        case damaged
    }

    /// `SONDESPL`.
    static let magic: UInt64 = 0x4c50_5345_444e_4f53
    static let version: UInt16 = 1
    /// Magic, version, reserve and length.
    static let fixedLength = 16
    /// No header is longer.
    static let maxLength = 16 << 20
    static let epochLength = 36

    var epoch: String
    var summary: SegmentSummary
    /// Every number below survives a power cut.
    var safeEnd: UInt64
    /// The last checkpoint of each source.
    var checkpoints: [String: [UInt8]]
    /// Numbers that are missing and were told.
    var gaps: [SequenceRange]
    /// The segments that were there when this one was made.
    var directory: [SegmentSummary]
    /// The machine that wrote it; nil: not known.
    var machine: String?

    func write(to writer: inout ByteWriter) {
        let start = writer.count
        writer.append(Self.magic)
        writer.append(Self.version)
        writer.append(UInt16(0))
        writer.append(UInt32(0))
        writer.append(contentsOf: epoch.utf8.prefix(Self.epochLength))
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
        writer.set(UInt32(clamping: writer.count - start + 4), at: start + 12)
        writer.append(writer.withBytes(from: start) { CRC32C.checksum($0) })
    }

    // A `var` takes no more.
    private static let mostVariable = 10

    /// No header with so many gaps and summaries takes more bytes, but for its checkpoints.
    static func boundWithoutCheckpoints(gaps: Int, summaries: Int, machine: String?) -> Int {
        let fixed = fixedLength + epochLength + SegmentSummary.length + 8 + 4 * mostVariable + 4
        return fixed &+ 16 &* gaps &+ SegmentSummary.length &* summaries &+ (machine?.utf8.count ?? 0)
    }

    /// A checkpoint takes no more of a header.
    static func bound(ofCheckpoint bytes: [UInt8], of source: String) -> Int {
        2 * mostVariable &+ source.utf8.count &+ bytes.count
    }

    /// How long the header is that begins with these 16 bytes.
    static func length(_ bytes: UnsafeRawBufferPointer) throws(Flaw) -> Int {
        var reader = ByteReader(bytes)
        guard reader.number(UInt64.self) == magic else { throw .damaged }
        let version = reader.number(UInt16.self)
        _ = reader.number(UInt16.self)
        let length = reader.number(UInt32.self)
        guard reader.isValid else { throw .damaged }
        guard version == Self.version else { throw .version(version) }
        guard length > UInt32(fixedLength), length <= UInt32(maxLength) else { throw .damaged }
        return Int(length)
    }

    /// Reads a whole header.
    init(_ bytes: UnsafeRawBufferPointer) throws(Flaw) {
        guard bytes.count >= Self.fixedLength + 4, try Self.length(bytes) == bytes.count else { throw .damaged }
        let checked = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - 4)])
        var end = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[(bytes.count - 4)...]))
        guard end.number(UInt32.self) == CRC32C.checksum(checked) else { throw .damaged }
        var reader = ByteReader(UnsafeRawBufferPointer(rebasing: checked[Self.fixedLength...]))
        epoch = Self.epoch(&reader)
        guard let summary = SegmentSummary(&reader) else { throw .damaged }
        self.summary = summary
        safeEnd = reader.number(UInt64.self)
        checkpoints = Self.checkpoints(&reader)
        gaps = Self.gaps(&reader)
        directory = Self.directory(&reader)
        machine = Self.machine(&reader)
        guard reader.isValid, UUIDText.isValid(epoch) else { throw .damaged }
    }

    init(
        epoch: String,
        summary: SegmentSummary,
        safeEnd: UInt64,
        checkpoints: [String: [UInt8]],
        gaps: [SequenceRange],
        directory: [SegmentSummary],
        machine: String? = nil
    ) {
        self.epoch = epoch
        self.summary = summary
        self.safeEnd = safeEnd
        self.checkpoints = checkpoints
        self.gaps = gaps
        self.directory = directory
        self.machine = machine
    }

    private static func epoch(_ reader: inout ByteReader) -> String {
        var bytes: [UInt8] = []
        for _ in 0..<epochLength { bytes.append(reader.byte()) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func checkpoints(_ reader: inout ByteReader) -> [String: [UInt8]] {
        var checkpoints: [String: [UInt8]] = [:]
        for _ in 0..<reader.count(ofAtLeast: 2) {
            let source = reader.text()
            checkpoints[source] = Array(reader.counted())
        }
        return checkpoints
    }

    private static func gaps(_ reader: inout ByteReader) -> [SequenceRange] {
        (0..<reader.count(ofAtLeast: 16)).map { _ in
            SequenceRange(first: reader.number(UInt64.self), end: reader.number(UInt64.self))
        }
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

    private static func machine(_ reader: inout ByteReader) -> String? {
        // Headers of the first agents end here.
        guard reader.remaining > 0 else { return nil }
        let machine = reader.text()
        return machine.isEmpty ? nil : machine
    }
}
