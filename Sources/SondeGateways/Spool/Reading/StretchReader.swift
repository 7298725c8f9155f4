internal import SondeEngine

/// Reads the stretches of one sink: has the files of the one under way open, and knows how far the last segment was read.
struct StretchReader {
    /// Where a segment cannot be read.
    struct Damage {
        let sequence: UInt64
        let offset: Int64
        let flaw: String
    }

    /// Where a frame begins.
    private struct Mark {
        let offset: Int64
        let sequence: UInt64
    }

    /// How far a segment was read.
    private struct Position {
        let first: UInt64
        let decoder: SpoolFrameDecoder
        /// The frame that holds the first number of the last stretch that was read.
        let begin: Mark
        /// The frame that holds the number after it.
        let end: Mark

        /// The last frame known that begins at or before a number.
        func mark(before sequence: UInt64) -> Mark? {
            [end, begin].first { $0.sequence <= sequence }
        }
    }

    private let folder: SpoolFolder
    // Open so that reading cannot fail for lack of descriptors.
    private var files: [UInt64: any OpenFile] = [:]
    private var position: Position?

    init(_ folder: SpoolFolder) {
        self.folder = folder
    }

    /// The segment that was read last.
    var segment: UInt64? { position?.first }

    mutating func forgetPosition() { position = nil }

    /// Opens a segment of the stretch under way, unless it is open here, or in the log as `known`.
    mutating func open(_ first: UInt64, _ known: (any OpenFile)?) throws(FileSystemError) {
        if files[first] == nil { files[first] = try file(first, known) }
    }

    /// Closes the files of the stretch.
    mutating func close() { files.removeAll() }

    private func file(_ first: UInt64, _ known: (any OpenFile)?) throws(FileSystemError) -> any OpenFile {
        if let file = files[first] ?? known { return file }
        return try folder.open(first)
    }

    /// Reads what is wanted of a segment; damage ends it.
    mutating func read(
        _ wanted: SpoolFrameDecoder.Wanted,
        _ segment: LogSegment,
        _ known: (any OpenFile)?,
        to output: inout SpoolFrameDecoder.Output
    ) -> Damage? {
        let first = segment.summary.first
        output.beginSegment()
        var reader: SegmentReader
        do throws(FileSystemError) {
            let file = try file(first, known)
            if let position, position.first == first, let mark = position.mark(before: max(wanted.range.first, first)) {
                reader = SegmentReader(
                    file, first: mark.sequence, from: mark.offset, to: segment.summary.bytes, position.decoder)
                // The decoder grows in place where it has one owner.
                self.position = nil
            } else {
                reader = SegmentReader(file, segment, folder.interner)
            }
        } catch {
            return Damage(sequence: first, offset: 0, flaw: error.text)
        }
        guard let flaw = read(wanted, segment, &reader, to: &output) else { return nil }
        position = nil
        return Damage(sequence: reader.sequence, offset: reader.offset, flaw: flaw)
    }

    private mutating func read(
        _ wanted: SpoolFrameDecoder.Wanted,
        _ segment: LogSegment,
        _ reader: inout SegmentReader,
        to output: inout SpoolFrameDecoder.Output
    ) -> String? {
        let end = min(wanted.range.end, segment.range.end)
        var begin: Mark?
        var last = Mark(offset: reader.offset, sequence: reader.sequence)
        while reader.sequence < end {
            last = Mark(offset: reader.offset, sequence: reader.sequence)
            switch reader.next(wanted, to: &output) {
            case .contents, .gap: break
            case .end: return "it ends before its last number"
            case .damaged: return "not a frame"
            case .failed(let error): return error.text
            }
            if begin == nil, reader.sequence > wanted.range.first { begin = last }
        }
        if reader.sequence <= end { last = Mark(offset: reader.offset, sequence: reader.sequence) }
        position = Position(first: segment.summary.first, decoder: reader.decoder, begin: begin ?? last, end: last)
        return nil
    }
}
