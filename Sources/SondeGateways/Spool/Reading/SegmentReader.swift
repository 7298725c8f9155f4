internal import SondeEngine

/// Reads the contents of one segment in order and checks its numbers.
struct SegmentReader {
    /// What was found.
    enum Step {
        /// A frame's contents.
        case contents(FrameContents)
        /// A frame that only records a gap.
        case gap(GapRecord)
        /// Nothing is left.
        case end
        /// Something that is not the next frame.
        case damaged
        /// The file cannot be read.
        case failed(FileSystemError)
    }

    private var frames: FrameReader
    /// Has the series that were read.
    private(set) var decoder: SpoolFrameDecoder
    /// The next number.
    private(set) var sequence: UInt64
    /// The offset of the next frame, or of the damage.
    private(set) var offset: Int64

    /// A reader of a segment from its first frame on.
    init(_ file: any OpenFile, _ segment: LogSegment, _ interner: SeriesInterner) {
        let (first, end) = (segment.summary.first, segment.summary.bytes)
        self.init(file, first: first, from: segment.headerLength, to: end, SpoolFrameDecoder(interner))
    }

    /// A reader from a position that `decoder` has reached before.
    init(_ file: any OpenFile, first: UInt64, from offset: Int64, to end: Int64, _ decoder: SpoolFrameDecoder) {
        frames = FrameReader(file, from: offset, to: end)
        self.decoder = decoder
        self.offset = offset
        sequence = first
    }

    /// Reads the next frame, again after an I/O error, and adds what is wanted of it to `output`.
    mutating func next(_ wanted: SpoolFrameDecoder.Wanted, to output: inout SpoolFrameDecoder.Output) -> Step {
        var step = nextOnce(wanted, to: &output)
        for _ in 1..<PatientReading.tries {
            guard case .failed = step else { break }
            step = nextOnce(wanted, to: &output)
        }
        return step
    }

    private mutating func nextOnce(_ wanted: SpoolFrameDecoder.Wanted, to output: inout SpoolFrameDecoder.Output)
        -> Step
    {
        let expected = sequence
        let step = frames.next { head, payload -> Step in
            guard head.sequence == expected else { return .damaged }
            switch head.kind {
            case Frame.Kind.batch:
                let contents = decoder.decode(payload, first: expected, wanted, to: &output)
                return contents.map(Step.contents) ?? .damaged
            case Frame.Kind.checkpoint:
                output.checkpoint = SpoolCheckpoint(payload)
                return output.checkpoint == nil ? .damaged : .contents(FrameContents())
            case Frame.Kind.gap: return GapRecord(payload).map(Step.gap) ?? .damaged
            // A later agent of this version may add kinds that take no numbers.
            default: return .contents(FrameContents())
            }
        }
        switch step {
        case .frame(let found):
            switch found {
            case .contents(let contents): sequence &+= UInt64(contents.points &+ contents.documents)
            case .gap: break
            case .end, .damaged, .failed: return found
            }
            offset = frames.offset
            return found
        case .end: return .end
        case .damaged: return .damaged
        case .failed(let error): return .failed(error)
        }
    }
}

extension SpoolCheckpoint {
    /// Reads the payload of a checkpoint frame; nil when it is not one.
    init?(_ payload: UnsafeRawBufferPointer) {
        var reader = ByteReader(payload)
        self.init(source: reader.text(), bytes: Array(reader.counted()))
        guard reader.isValid, reader.remaining == 0 else { return nil }
    }
}
