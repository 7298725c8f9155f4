internal import SondeDomain
internal import SondeEngine

/// Reads the segments that are there: the headers of all, the contents of the newest and of those no header tells of.
struct SegmentScan {
    private let paths: SpoolPaths
    private let fileSystem: any FileSystem
    private let interner: SeriesInterner

    private(set) var quarantine: Quarantine
    /// The segments that can be read, in order.
    private(set) var segments: [LogSegment] = []
    /// The epoch that the newest segment names.
    private(set) var epoch: String?
    private(set) var checkpoints: [String: [UInt8]] = [:]
    /// Numbers that are missing and were told.
    private(set) var gaps = SequenceRanges(bound: DiskLog.gapBound)
    /// Every number below is known to survive a power cut.
    private(set) var safeEnd: UInt64 = 0
    /// Whether the newest segment ended in something that is not a frame.
    private(set) var isCutShort = false
    /// What a person should know of.
    private(set) var findings: [(code: ErrorCode, text: String)] = []
    private var sizes: [UInt64: Int64] = [:]
    // Numbers below were given, even where the segment of that name holds nothing that can be read.
    private var named: UInt64 = 0

    init(
        _ paths: SpoolPaths,
        _ fileSystem: any FileSystem,
        _ interner: SeriesInterner,
        _ quarantine: Quarantine
    ) {
        self.paths = paths
        self.fileSystem = fileSystem
        self.interner = interner
        self.quarantine = quarantine
    }

    /// One past the last number that a segment holds or is named after.
    var end: UInt64 {
        max(named, segments.map(\.summary.end).max() ?? 0)
    }

    /// Reads the segments that begin with these numbers, in ascending order.
    mutating func read(_ firsts: [UInt64]) {
        var headers: [(first: UInt64, header: SegmentHeader, length: Int64)] = []
        for first in firsts {
            if let (header, length) = header(of: first) { headers.append((first, header, length)) }
        }
        guard let newest = headers.last else { return }
        named = max(named, newest.first)
        epoch = newest.header.epoch
        checkpoints = newest.header.checkpoints
        safeEnd = newest.header.safeEnd
        for gap in newest.header.gaps { gaps.insert(gap) }
        let known = Dictionary(newest.header.directory.map { ($0.first, $0) }) { $1 }
        for (first, header, length) in headers {
            var segment = LogSegment(
                summary: header.summary,
                headerLength: length,
                fileBytes: sizes[first] ?? length,
                appended: MonotonicInstant(nanoseconds: 0)
            )
            let isNewest = first == newest.first
            if !isNewest, let summary = known[first], summary.bytes == segment.fileBytes {
                segment.summary = summary
            } else {
                readContents(of: &segment, isNewest: isNewest)
            }
            add(segment)
        }
    }

    private mutating func add(_ segment: LogSegment) {
        // A power cut may bring back a segment whose loss was told.
        guard !gaps.missing(in: segment.summary.range).isEmpty else {
            try? fileSystem.unlink(paths.segment(segment.summary.first))
            return
        }
        if let last = segments.last, last.summary.end > segment.summary.first {
            segments[segments.count - 1].summary.end = segment.summary.first
        }
        segments.append(segment)
    }

    /// Reads a header; what has none is set aside.
    private mutating func header(of first: UInt64) -> (SegmentHeader, Int64)? {
        let path = paths.segment(first)
        guard let file = try? fileSystem.open(path, .read), let size = try? file.size() else {
            findings.append((.spoolDamaged, "\(SpoolPaths.segmentName(first)) cannot be opened"))
            named = max(named, first)
            isCutShort = true
            return nil
        }
        sizes[first] = size
        do throws(SegmentHeader.Flaw) {
            let (header, length) = try readHeader(file)
            guard header.summary.first == first else { throw .damaged }
            return (header, length)
        } catch {
            switch error {
            case .version(let version):
                findings.append((.spoolVersionUnknown, "\(SpoolPaths.segmentName(first)) has version \(version)"))
                try? fileSystem.rename(path, to: "\(path).v\(version)")
            case .damaged:
                discard(first, file)
            }
            return nil
        }
    }

    private func readHeader(_ file: any OpenFile) throws(SegmentHeader.Flaw) -> (SegmentHeader, Int64) {
        guard let start = try? file.readWhole(SegmentHeader.fixedLength, at: 0) else { throw .damaged }
        var length: Result<Int, SegmentHeader.Flaw> = .failure(.damaged)
        start.withUnsafeBytes { bytes in
            do throws(SegmentHeader.Flaw) {
                length = .success(try SegmentHeader.length(bytes))
            } catch {
                length = .failure(error)
            }
        }
        let count = try length.get()
        guard let size = try? file.size(), Int64(count) <= size, let bytes = try? file.readWhole(count, at: 0) else {
            throw .damaged
        }
        var header: Result<SegmentHeader, SegmentHeader.Flaw> = .failure(.damaged)
        bytes.withUnsafeBytes { bytes in
            do throws(SegmentHeader.Flaw) {
                header = .success(try SegmentHeader(bytes))
            } catch {
                header = .failure(error)
            }
        }
        return (try header.get(), Int64(count))
    }

    private mutating func discard(_ first: UInt64, _ file: any OpenFile) {
        let name = SpoolPaths.segmentName(first)
        // A header that was never written whole held nothing: that is how a crash leaves a new segment.
        if (sizes[first] ?? 0) > Int64(SegmentHeader.fixedLength) {
            findings.append((.spoolDamaged, "\(name) has no readable header"))
            quarantine.keep(file, from: 0, as: "\(name).0")
            isCutShort = true
        }
        try? fileSystem.unlink(paths.segment(first))
    }

    private mutating func readContents(of segment: inout LogSegment, isNewest: Bool) {
        let path = paths.segment(segment.summary.first)
        guard let file = try? fileSystem.open(path, .update) else {
            findings.append((.spoolDamaged, "\(SpoolPaths.segmentName(segment.summary.first)) cannot be opened"))
            isCutShort = isCutShort || isNewest
            return
        }
        segment.summary.bytes = segment.fileBytes
        var reader = SegmentReader(file, segment, interner)
        var output = BatchDecoder.Output()
        var flaw: String?
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
                break reading
            }
        }
        segment.summary.bytes = reader.offset
        guard let flaw else { return }
        isCutShort = isCutShort || isNewest
        cut(&segment, file, flaw)
    }

    private mutating func cut(_ segment: inout LogSegment, _ file: any OpenFile, _ flaw: String) {
        let name = SpoolPaths.segmentName(segment.summary.first)
        let offset = segment.summary.bytes
        findings.append((.spoolDamaged, "\(name) ends at byte \(offset) of \(segment.fileBytes): \(flaw)"))
        quarantine.keep(file, from: offset, as: "\(name).\(offset)")
        do throws(FileSystemError) {
            try file.truncate(to: offset)
            segment.fileBytes = offset
        } catch {
            findings.append((.spoolWriteFailed, "\(name) could not be cut: \(error.text)"))
        }
    }
}
