internal import SondeDomain
internal import SondeEngine

extension LogSegment {
    /// The first time in the frame of a number; nil when there is no such frame, or it is damaged.
    ///
    /// Passes over the frames before it unread: they may hold millions of points.
    func time(of number: UInt64, _ folder: SpoolFolder) throws(FileSystemError) -> Timestamp? {
        let file = try folder.open(summary.first)
        guard let offset = try offset(of: number, in: file) else { return nil }
        var frames = FrameReader(file, from: offset, to: summary.bytes)
        switch frames.next({ SpoolFrameDecoder.firstTime(in: $1) }) {
        case .frame(let time): return time
        case .end, .damaged: return nil
        case .failed(let error): throw error
        }
    }

    /// Where the frame of a number is: the last batch that begins with it or with one before.
    private func offset(of number: UInt64, in file: any OpenFile) throws(FileSystemError) -> Int64? {
        var frames = FrameReader(file, from: headerLength, to: summary.bytes)
        var offset = frames.offset
        var found: Int64?
        while let head = try frames.skip(), head.sequence <= number {
            if head.kind == Frame.Kind.batch { found = offset }
            offset = frames.offset
        }
        return found
    }
}
