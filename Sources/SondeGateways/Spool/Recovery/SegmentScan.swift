internal import SondeDomain
internal import SondeEngine

/// Reads the existing segments: the headers of all, the contents of the newest and of those that no header summarizes.
///
/// Changes nothing: the repairs that it finds necessary are in ``repairs``.
struct SegmentScan {
    // No point or document takes fewer bytes of a file.
    private static let leastNumberLength: UInt64 = 2
    // A segment of 64 MiB, its header and one frame beyond it hold no more.
    private static let mostNumbers: UInt64 = 1 << 26

    private struct Found {
        var segment: LogSegment
        let header: SegmentHeader
        let file: any OpenFile
    }

    private let folder: SpoolFolder
    private let times: LogTimes

    /// The segments that can be read, in order.
    private(set) var segments: [LogSegment] = []
    /// The number that the oldest segment is named after, whether it can be read or not.
    private(set) var begin: UInt64?
    /// The epoch that the newest segment names.
    private(set) var epoch: String?
    /// The epochs that it names as earlier ones of this log, the newest first.
    private(set) var earlier: [String] = []
    /// The machine that wrote the newest segment; nil: it is not stored.
    private(set) var machine: String?
    /// The positions of the sinks when the newest segment was made.
    private(set) var places: [String: UInt64] = [:]
    private(set) var checkpoints: [String: [UInt8]] = [:]
    /// The series that had not ended when the newest segment was written to last.
    private(set) var unended: [Series] = []
    /// Numbers that are missing and were reported.
    private(set) var gaps = SequenceRanges(bound: LogGaps.bound)
    /// Every number below survives a power cut.
    private(set) var safeEnd: UInt64 = 0
    /// Whether the end of the log cannot be read.
    private(set) var isCutShort = false
    /// Numbers at the end of the log that were assigned, or may have been; their count is not known.
    private(set) var unknownEnd = SequenceRange(first: 0, end: 0)
    /// What is to be reported.
    private(set) var findings: [(code: ErrorCode, text: String)] = []
    /// What is to be done once the start has succeeded.
    private(set) var repairs: [SegmentRepair] = []
    private var found: [Found] = []
    // Numbers below were assigned, even where the segment of that name holds nothing that can be read.
    private var named: UInt64 = 0

    init(_ folder: SpoolFolder, _ times: LogTimes) {
        self.folder = folder
        self.times = times
    }

    /// One past the last number that a segment holds, is named after or may have held.
    var end: UInt64 {
        max(named, unknownEnd.end, segments.map(\.summary.end).max() ?? 0)
    }

    /// The epochs that cursors of this log may name; nil: no segment has one.
    var epochs: Set<String>? { epoch.map { Set(earlier + [$0]) } }

    /// Reads the segments that begin with these numbers, in ascending order.
    mutating func read(_ firsts: [UInt64]) {
        for first in firsts { readHeader(of: first, isLast: first == firsts.last) }
        begin = firsts.first
        named = firsts.last ?? 0
        guard let newest = found.last?.header else { return }
        epoch = newest.epoch
        earlier = newest.earlier
        machine = newest.machine
        places = Dictionary(newest.readers.map { ($0.sink, $0.next) }) { $1 }
        checkpoints = newest.checkpoints
        safeEnd = newest.safeEnd
        for gap in newest.gaps { gaps.insert(gap) }
        let known = Dictionary(newest.directory.map { ($0.first, $0) }) { $1 }
        for index in found.indices {
            let segment = found[index].segment
            let isNewest = index == found.count - 1
            if !isNewest, let summary = known[segment.summary.first], summary.bytes == segment.fileBytes {
                found[index].segment.summary = summary
            } else {
                readContents(of: index, isNewest: isNewest)
            }
        }
        // Only now all gaps are known: those in the newest segment's frames are about segments before it.
        for found in found { add(found.segment) }
        found = []
    }

    private mutating func add(_ segment: LogSegment) {
        var segment = segment
        if segment.summary.count > 0 {
            // After a power cut, or when a disk works again, what was reported as lost may reappear.
            guard let end = gaps.missing(in: segment.summary.range).last?.end else {
                repairs.append(.remove(first: segment.summary.first))
                return
            }
            segment.summary.end = end
            segment.summary.points = min(segment.summary.points, segment.summary.count)
        }
        if let last = segments.last, last.summary.end > segment.summary.first {
            segments[segments.count - 1].summary.end = segment.summary.first
        }
        segments.append(segment)
    }

    /// Reads a header; a file without one is set aside.
    private mutating func readHeader(of first: UInt64, isLast: Bool) {
        var size: Int64?
        do throws(FileSystemError) {
            let file = try folder.open(first)
            let length = try file.size()
            size = length
            switch try Self.header(of: file, size: length) {
            case .success((let header, let headerLength)) where header.summary.first == first:
                let segment = LogSegment(
                    summary: header.summary, resource: header.resource, headerLength: headerLength,
                    fileBytes: length, appended: times.instant(of: header.summary.created))
                found.append(Found(segment: segment, header: header, file: file))
            case .success: refuse(first, size: length, .damaged, isLast: isLast)
            case .failure(let flaw): refuse(first, size: length, flaw, isLast: isLast)
            }
        } catch {
            findings.append((.spoolDamaged, "\(SpoolFolder.segmentName(first)) cannot be read: \(error.text)"))
            repairs.append(.setAside(first: first, size: size))
            if isLast { endsUnread(from: first, bytes: size) }
        }
    }

    /// The header of a file of `size` bytes, and its length.
    private static func header(
        of file: any OpenFile,
        size: Int64
    ) throws(FileSystemError) -> Result<(SegmentHeader, length: Int64), SegmentHeader.Flaw> {
        let start = try bytes(of: file, SegmentHeader.fixedLength)
        switch parse(start, SegmentHeader.length) {
        case .failure(let flaw): return .failure(flaw)
        case .success(let length) where Int64(length) > size: return .failure(.damaged)
        case .success(let length):
            return parse(try bytes(of: file, length), SegmentHeader.init).map { ($0, Int64(length)) }
        }
    }

    private static func parse<Parsed>(
        _ bytes: [UInt8],
        _ body: (UnsafeRawBufferPointer) throws(SegmentHeader.Flaw) -> Parsed
    ) -> Result<Parsed, SegmentHeader.Flaw> {
        Result { () throws(SegmentHeader.Flaw) in
            try bytes.withUnsafeBufferPointer { bytes throws(SegmentHeader.Flaw) in
                try body(UnsafeRawBufferPointer(bytes))
            }
        }
    }

    private static func bytes(of file: any OpenFile, _ count: Int) throws(FileSystemError) -> [UInt8] {
        try PatientReading.run { () throws(FileSystemError) in try file.readWhole(count, at: 0) }
    }

    private mutating func refuse(_ first: UInt64, size: Int64, _ flaw: SegmentHeader.Flaw, isLast: Bool) {
        let name = SpoolFolder.segmentName(first)
        switch flaw {
        case .later(let version):
            // The newest one of a later version is not read here: the spool was set aside.
            findings.append((.spoolDamaged, "\(name) has version \(version), unlike those after it"))
            repairs.append(.setAside(first: first, size: size))
            if isLast { endsUnread(from: first, bytes: nil) }
        case .damaged:
            // A header that was never written whole held nothing: that is how a crash leaves a new segment.
            guard size > Int64(SegmentHeader.fixedLength) else {
                repairs.append(.remove(first: first))
                return
            }
            findings.append((.spoolDamaged, "\(name) has no readable header"))
            repairs.append(.discard(first: first))
            if isLast { endsUnread(from: first, bytes: size) }
        }
    }

    /// Notes that the log ends in bytes that cannot be read: every number that they may hold counts as assigned.
    private mutating func endsUnread(from first: UInt64, bytes: Int64?) {
        isCutShort = true
        let count = bytes.map { min(Self.mostNumbers, UInt64(max(0, $0)) / Self.leastNumberLength) }
        unknownEnd = SequenceRange(first: first, end: first &+ (count ?? Self.mostNumbers))
    }

    private mutating func readContents(of index: Int, isNewest: Bool) {
        var segment = found[index].segment
        segment.summary.bytes = segment.fileBytes
        var reader = SegmentReader(found[index].file, segment, folder.interner)
        var output = SpoolFrameDecoder.Output()
        var flaw: String?
        var failure: FileSystemError?
        reading: while true {
            switch reader.next(.nothing, to: &output) {
            case .contents(let contents):
                segment.summary.add(contents)
                if isNewest, let checkpoint = output.checkpoint { checkpoints[checkpoint.source] = checkpoint.bytes }
                output.checkpoint = nil
            case .gap(let gap): gaps.insert(gap.range)
            case .end: break reading
            case .damaged:
                flaw = "not a frame"
                break reading
            case .failed(let error):
                flaw = error.text
                failure = error
                break reading
            }
        }
        segment.summary.bytes = reader.offset
        if isNewest { unended = reader.decoder.unended }
        found[index].segment = segment
        guard let flaw else { return }
        isCutShort = isCutShort || isNewest
        let (first, offset) = (segment.summary.first, segment.summary.bytes)
        let name = SpoolFolder.segmentName(first)
        findings.append((.spoolDamaged, "\(name) ends at byte \(offset) of \(segment.fileBytes): \(flaw)"))
        repairs.append(.cut(first: first, offset: offset))
        if failure != nil, isNewest { endsUnread(from: segment.summary.end, bytes: segment.fileBytes &- offset) }
    }
}

/// What a start does to a segment that it could not adopt unchanged.
///
/// Not done before the start has succeeded: a start that fails leaves everything to be found again.
enum SegmentRepair: Hashable {
    /// What follows an offset goes to the quarantine.
    case cut(first: UInt64, offset: Int64)
    /// The file has no readable header: it goes to the quarantine.
    case discard(first: UInt64)
    /// The file's contents cannot be read: it is moved to the quarantine as it is.
    case setAside(first: UInt64, size: Int64?)
    /// It holds nothing, or its loss was reported before.
    case remove(first: UInt64)

    /// The number that the segment is named after.
    var first: UInt64 {
        switch self {
        case .cut(let first, _), .discard(let first), .setAside(let first, _), .remove(let first):
            first
        }
    }
}
