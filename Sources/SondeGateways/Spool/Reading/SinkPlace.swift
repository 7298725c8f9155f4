internal import SondeEngine

/// The state of reading for one sink: its cursor file, the files of its stretch, and its read position.
struct SinkPlace {
    /// Where a frame begins.
    struct Mark {
        var offset: Int64
        var sequence: UInt64
    }

    /// How far one segment was read.
    struct Segment {
        let first: UInt64
        var decoder: FrameDecoder
        /// The frame that holds the first number of the last stretch that was read.
        var begin: Mark
        /// The frame that holds the number after it.
        var end: Mark

        /// The last frame known that begins at or before a number.
        func mark(before sequence: UInt64) -> Mark? {
            [end, begin].first { $0.sequence <= sequence }
        }
    }

    /// Whether the cursor file names the end of the stretch under way.
    var hasRecordedCut = true
    /// Nil for a live sink, or while it cannot be made.
    var cursor: CursorFile?
    /// The files of the stretch under way, open so that reading it cannot fail for lack of descriptors.
    var files: [UInt64: any OpenFile] = [:]
    var segment: Segment?
}
