import SondeDomain
import SondeEngine
import SondeFormats
import SondeTestKit

@testable import SondeGateways

/// How the fuzzer's bytes become what an agent finds on disk when it starts, behind checksums that are right: one that
/// selects what, then its bytes.
enum SpoolFuzzInput {
    private static let directory = "/spool"
    private static let sink = "a"
    // A segment that overflows is removed, so that what is appended has room.
    private static let maxBytes: Int64 = 1 << 20

    /// The invariants that reading breaks.
    static func brokenInvariants(_ input: UnsafeRawBufferPointer) -> [String] {
        guard let first = input.first else { return [] }
        let bytes = Array(input.dropFirst())
        return switch first % 4 {
        case 0: brokenSpool(SpoolFolderParts(bytes))
        case 1: brokenChunk(bytes)
        case 2: brokenLetter(bytes)
        default: brokenHeading(bytes)
        }
    }

    /// A log that is opened, read, written to and opened again.
    private static func brokenSpool(_ parts: SpoolFolderParts) -> [String] {
        let disk = SimulatedFileSystem()
        guard (try? open(disk, 1)) != nil else { return ["an empty folder is a spool"] }
        disk.killProcess()
        for path in disk.paths where path.hasSuffix(".seg") { try? disk.unlink(path) }
        for (name, bytes) in parts.files {
            _ = try? disk.open("\(directory)/\(name)", .openOrCreate)
            disk.setContents(of: "\(directory)/\(name)", bytes)
        }
        do throws(SondeError) {
            let broken = try use(disk, 2)
            disk.killProcess()
            return broken + (try use(disk, 3))
        } catch {
            return error.message.isEmpty ? ["a refusal says nothing"] : []
        }
    }

    private static func use(_ disk: SimulatedFileSystem, _ epoch: Int) throws(SondeError) -> [String] {
        let spool = try open(disk, epoch)
        spool.addReader(sink, .durable, wants: [.metrics, .snapshots])
        _ = spool.append([.numbered(7)], documents: [], at: MonotonicInstant(nanoseconds: 1))
        var last: UInt64 = 0
        while let stretch = spool.cut(for: sink, maxCount: 64, maxBytes: .max) {
            guard stretch.first <= stretch.last, stretch.first > last else { return ["stretches overlap"] }
            let contents = spool.read(stretch, for: sink)
            if contents.points.entries.count > stretch.count { return ["a stretch has more points than numbers"] }
            spool.acknowledge(stretch, for: sink)
            last = stretch.last
        }
        _ = (spool.usage(), spool.takeLosses(), spool.takeFailures(), spool.backlog(of: sink))
        return []
    }

    private static func open(_ disk: SimulatedFileSystem, _ number: Int) throws(SondeError) -> DiskSpool {
        var settings = DiskSpoolSettings(directory: directory, maxBytes: maxBytes)
        settings.segmentBytes = 4_096
        settings.minFree = 0
        let epoch = SpoolEpoch("00000000-0000-4000-8000-00000000000\(number)")
        guard let epoch else { throw .fake(.programmer) }
        return try DiskSpool(settings, fileSystem: disk, clock: ManualClock(), newEpoch: epoch)
    }

    /// A row of the history.
    private static func brokenChunk(_ bytes: [UInt8]) -> [String] {
        var broken: [String] = []
        for shape in [HistoryMetric.bandwidthReceive, .dnsLatency].map(\.shape) {
            var row = SondeGateways.ByteWriter()
            row.append(UInt32(7))
            row.append(bytes.withUnsafeBytes { CRC32C.checksum($0, after: 7) })
            let room = HistoryChunk.byteCount(shape) - row.count
            let content = Array(bytes.prefix(room)) + [UInt8](repeating: 0, count: max(0, room - bytes.count))
            row.set(content.withUnsafeBytes { CRC32C.checksum($0, after: 7) }, at: 4)
            row.append(contentsOf: content)
            let chunk = Array(row.bytes).withUnsafeBytes { try? HistoryChunk($0, name: 7, shape) }
            guard let chunk else { return ["a row with a checksum is one"] }
            let merged = chunk.points.compactMap(\.self).reduce(nil as HistoryPoint?) { $0?.merging($1) ?? $1 }
            if let merged, !merged.isFinite, broken.isEmpty { broken.append("a sum is not finite") }
            let again = chunk.bytes(name: 7, shape).withUnsafeBytes { try? HistoryChunk($0, name: 7, shape) }
            if again?.steps != chunk.steps { broken.append("a row is another one when it is written") }
        }
        return broken
    }

    /// The exact form of a batch in a dead letter.
    private static func brokenLetter(_ bytes: [UInt8]) -> [String] {
        var writer = SondeGateways.ByteWriter()
        Frame.write(Frame.Kind.batch, 1, to: &writer) { $0.append(contentsOf: bytes) }
        let identity = BatchIdentity(agent: "a", epoch: "e", first: 1, last: 9)
        func decode(_ bytes: [UInt8]) -> Batch? {
            ExactBatch.decode(bytes, identity, sink: sink, resource: Resource(), SeriesInterner())
        }
        guard let batch = decode(Array(writer.bytes)) else { return [] }
        guard let encoded = ExactBatch.encode(batch) else { return ["a batch is too long"] }
        guard let again = decode(encoded), ExactBatch.encode(again) == encoded else { return ["it is another batch"] }
        return again.entries.count == batch.entries.count ? [] : ["points are missing"]
    }

    /// The first line of a dead letter.
    private static func brokenHeading(_ bytes: [UInt8]) -> [String] {
        guard let json = try? JSONReader.parse(bytes), let heading = DeadLetterHeading(json) else { return [] }
        _ = Resource(json)
        return BatchIdentity(heading.batch).map { $0.first <= $0.last } ?? true ? [] : ["a stretch is reversed"]
    }
}

/// Files of a spool's folder, out of sections: a kind, two bytes of length, and the section.
private struct SpoolFolderParts {
    private(set) var files: [(name: String, bytes: [UInt8])] = []
    private var segment: [UInt8] = []
    private var first: UInt64 = 1
    private var next: UInt64 = 1
    private var decoder = SpoolFrameDecoder(SeriesInterner())

    init(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            while reader.remaining > 0 {
                let kind = reader.byte()
                let length = min(Int(reader.number(UInt16.self)), reader.remaining)
                let start = reader.offset
                _ = reader.text(ofLength: length)
                add(kind, UnsafeRawBufferPointer(rebasing: bytes[start..<(start + length)]))
            }
        }
        endSegment()
    }

    private mutating func add(_ kind: UInt8, _ section: UnsafeRawBufferPointer) {
        switch kind % 6 {
        case 0:
            endSegment()
            beginSegment(section)
        case 1:
            addFrame(Frame.Kind.batch, section)
            var output = SpoolFrameDecoder.Output()
            guard let contents = decoder.decode(section, first: next, .nothing, to: &output) else { return }
            next &+= UInt64(contents.points + contents.documents)
        case 2: addFrame(Frame.Kind.checkpoint, section)
        case 3: addFrame(Frame.Kind.gap, section)
        case 4: addCursor(section)
        default: segment += section
        }
    }

    /// A header: what follows its first sixteen bytes.
    private mutating func beginSegment(_ section: UnsafeRawBufferPointer) {
        var writer = SondeGateways.ByteWriter()
        writer.append(SegmentHeader.magic)
        writer.append(SegmentHeader.version)
        writer.append(UInt16(0))
        writer.append(UInt32(SegmentHeader.fixedLength + section.count + 4))
        writer.append(contentsOf: section)
        writer.append(writer.withBytes { CRC32C.checksum($0) })
        segment = Array(writer.bytes)
        first =
            section.count >= SpoolEpoch.length + 8
            ? section.loadUnaligned(fromByteOffset: SpoolEpoch.length, as: UInt64.self) : 1
        next = first
        decoder = SpoolFrameDecoder(SeriesInterner())
    }

    private mutating func endSegment() {
        if !segment.isEmpty { files.append((SpoolFolder.segmentName(first), segment)) }
        segment = []
    }

    private mutating func addFrame(_ kind: UInt8, _ payload: UnsafeRawBufferPointer) {
        var writer = SondeGateways.ByteWriter()
        Frame.write(kind, next, to: &writer) { $0.append(contentsOf: payload) }
        segment += writer.bytes
    }

    /// Both positions of a sink: what follows the first eight bytes of each, and is before the checksum.
    private mutating func addCursor(_ section: UnsafeRawBufferPointer) {
        var file: [UInt8] = []
        for half in [section.prefix(section.count / 2), section.dropFirst(section.count / 2)] {
            var writer = SondeGateways.ByteWriter()
            writer.append(UInt32(0x5255_4353))
            writer.append(UInt32(1))
            writer.append(contentsOf: half.prefix(CursorSlot.length - 12))
            writer.append(contentsOf: [UInt8](repeating: 0, count: max(0, CursorSlot.length - 4 - writer.count)))
            writer.append(writer.withBytes { CRC32C.checksum($0) })
            file += writer.bytes + [UInt8](repeating: 0, count: CursorSlot.stride - writer.count)
        }
        files.append(("a.cur", file))
    }
}
