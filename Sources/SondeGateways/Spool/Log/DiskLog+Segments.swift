internal import SondeDomain
internal import SondeEngine

extension DiskLog {
    /// The result of making a segment.
    enum Opening {
        case opened
        case noRoom
        case failed
    }

    // One retry when a file of that name was left over, and one when the directory was gone.
    private static let openAttempts = 3

    /// Makes the segment that is written to from now on if there is room; `prepare` is run on the file before it gets
    /// its name.
    mutating func openSegment(
        prepare: (any OpenFile) throws(FileSystemError) -> Void = { _ throws(FileSystemError) in }
    ) -> Opening {
        guard requireEndMark() else { return .noRoom }
        let header = nextHeader()
        guard hasRoom(Int64(header.bytes.count) &+ carriedLength) else { return .noRoom }
        return makeSegment(header, prepare: prepare)
    }

    /// Makes the mark of the end of assigned numbers, before the disk first has the epoch that they were assigned in.
    private mutating func requireEndMark() -> Bool {
        guard endMark == nil, !epochIsOnDisk, nextSequence > 1 else { return true }
        do throws(FileSystemError) {
            let mark = try EndMark(paths.end, fileSystem)
            try mark.write(EndMark.End(epoch: epoch, end: nextSequence))
            if settings.synchronization != .none { try mark.sync() }
            endMark = mark
            return true
        } catch {
            failures.note(error, "no new segment could be made")
            lack = .fileSystem
            return false
        }
    }

    /// A segment that is about to be made.
    struct NextHeader {
        let summary: SegmentSummary
        let resource: Resource
        /// The durable sinks that it names.
        let readers: Set<String>
        let bytes: [UInt8]
    }

    /// The header of the segment that begins with the next number.
    mutating func nextHeader() -> NextHeader {
        let summary = SegmentSummary(first: writeSequence, created: steadyTime)
        let oldest = readers.values.filter { $0.kind == .durable }.map { min($0.next, $0.safeNext) }.min()
        gaps.removeAll(below: oldest ?? nextSequence)
        let places = places
        let resource = tail.frames.first?.group.resource ?? resource
        let header = SegmentHeader(
            epoch: epoch,
            summary: summary,
            safeEnd: settings.synchronization == .none ? 0 : safeEnd,
            checkpoints: checkpoints,
            gaps: gaps.ranges,
            directory: segments.suffix(directoryBound).map(\.summary),
            machine: settings.machine,
            earlier: earlier,
            readers: places,
            resource: resource
        )
        var bytes = ByteWriter()
        header.write(to: &bytes)
        return NextHeader(
            summary: summary, resource: resource, readers: Set(places.map(\.sink)), bytes: Array(bytes.bytes))
    }

    /// The position of each durable sink, as in its cursor file.
    private var places: [SegmentHeader.Place] {
        readers.filter { $0.value.kind == .durable }
            .map { SegmentHeader.Place(sink: $0.key, next: min($0.value.next, $0.value.safeNext)) }
            .sorted { $0.sink < $1.sink }
    }

    /// The maximum size of the next segment's header, with `checkpoint` among those that it holds.
    ///
    /// It is kept free: before the newest segment is removed, its successor is made.
    func successorLength(after checkpoint: SpoolCheckpoint?) -> Int64 {
        let summaries = min(segments.count, directoryBound) &+ 1
        let fixed = SegmentHeader.boundWithoutSources(
            gaps: gaps.ranges.count &+ untoldGaps.count, summaries: summaries, machine: settings.machine)
        let new = checkpoint.map { SegmentHeader.bound(ofCheckpoint: $0.bytes, of: $0.source) } ?? 0
        let kept = checkpoints.reduce(0) { sum, known in
            known.key == checkpoint?.source ? sum : sum &+ SegmentHeader.bound(ofCheckpoint: known.value, of: known.key)
        }
        let sinks = readers.keys.reduce(0) { $0 &+ SegmentHeader.bound(ofSink: $1) }
        return Int64(fixed &+ kept &+ new &+ sinks &+ SegmentHeader.bound(of: resource)) &+ carriedLength
    }

    /// The maximum size of the frame that a next segment begins with.
    private var carriedLength: Int64 {
        let definitions = min(active?.encoder.definitionBound ?? unended.bound, carryBound)
        return definitions == 0 ? 0 : definitions &+ Int64(Frame.headLength) &+ 16
    }

    /// Makes a segment without checking for room.
    mutating func makeSegment(
        _ header: NextHeader,
        prepare: (any OpenFile) throws(FileSystemError) -> Void = { _ throws(FileSystemError) in }
    ) -> Opening {
        var encoder = FrameEncoder()
        var frame = ByteWriter()
        encoder.carry(
            active?.encoder.unended ?? unended.series, bound: carryBound, first: header.summary.first, to: &frame)
        let bytes = header.bytes + frame.bytes
        for _ in 0..<Self.openAttempts {
            do throws(FileSystemError) {
                let file = try createSegment(first: header.summary.first, bytes, prepare)
                seal()
                forgetEmptySegment()
                add(SegmentWriter(first: header.summary.first, file: file, header: bytes, encoder), header)
                namedReaders = header.readers
                return .opened
            } catch {
                guard let opening = outcome(of: error) else { continue }
                return opening
            }
        }
        return .failed
    }

    /// How many segments a header summarizes; the contents of older ones are read again at a start.
    private var directoryBound: Int {
        Int(clamping: settings.segmentBytes / 8 / Int64(SegmentSummary.length))
    }

    /// Makes a segment atomically: its name is there with a whole header, or keeps its former file.
    ///
    /// An empty segment of that name may be the only one that holds the checkpoints.
    private func createSegment(
        first: UInt64,
        _ bytes: [UInt8],
        _ prepare: (any OpenFile) throws(FileSystemError) -> Void
    ) throws(FileSystemError) -> any OpenFile {
        let path = paths.segment(first)
        let file = try fileSystem.open("\(path).new", .create)
        do throws(FileSystemError) {
            try file.writeWhole(bytes, at: 0)
            try prepare(file)
            try fileSystem.rename("\(path).new", to: path)
        } catch {
            try? fileSystem.unlink("\(path).new")
            throw error
        }
        return file
    }

    /// The result of a failure to make a segment; nil: to be tried again.
    private mutating func outcome(of error: FileSystemError) -> Opening? {
        switch error.code {
        case FileSystemError.exists:
            // It was left by a removal that failed.
            try? fileSystem.unlink("\(paths.segment(writeSequence)).new")
            return nil
        case FileSystemError.notFound:
            return makeDirectories() ? nil : .failed
        default:
            failures.note(error, "no new segment could be made")
            guard error.isOutOfSpace else { return .failed }
            lack = .fileSystem
            return .noRoom
        }
    }

    private mutating func add(_ writer: SegmentWriter, _ header: NextHeader) {
        var summary = header.summary
        summary.bytes = writer.length
        interner.beginSegment()
        for series in writer.encoder.series { interner.register(series) }
        active = writer
        segments.append(
            LogSegment(
                summary: summary,
                resource: header.resource,
                headerLength: Int64(header.bytes.count),
                fileBytes: writer.length,
                appended: clock.monotonicTime
            )
        )
        segmentBytes &+= writer.length
        allowance &-= writer.length
        directoryIsDirty = true
        epochIsOnDisk = true
    }

    /// Makes the directory again after it was removed, perhaps with the state directory that contains it.
    mutating func makeDirectories() -> Bool {
        var path = settings.directory[...]
        if let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            path = path[..<slash]
            try? fileSystem.makeDirectory(String(path))
        }
        do throws(FileSystemError) {
            try fileSystem.makeDirectory(settings.directory)
        } catch {
            guard error.code == FileSystemError.exists else {
                failures.note(error, "the directory could not be made")
                return false
            }
        }
        return true
    }

    /// Ends the segment that is written to.
    mutating func seal() {
        guard let writer = closeActive() else { return }
        if settings.synchronization != .none, !writer.isSafe { sealed.append(writer) }
    }

    /// Seals the segment that is written to, and keeps which of its series have not ended.
    mutating func closeActive() -> SegmentWriter? {
        guard let writer = active else { return nil }
        active = nil
        unended = (writer.encoder.unended, writer.encoder.definitionBound)
        return writer
    }

    /// A segment without contents has the name of the next, which has replaced its file.
    private mutating func forgetEmptySegment() {
        guard let last = segments.last, last.summary.first == writeSequence else { return }
        sealed.removeAll { $0.first == last.summary.first }
        segmentBytes &-= segments.removeLast().fileBytes
    }

    /// Removes a segment and its file.
    mutating func remove(at index: Int) {
        let segment = segments.remove(at: index)
        segmentBytes &-= segment.fileBytes
        sealed.removeAll { $0.first == segment.summary.first }
        if active?.first == segment.summary.first { _ = closeActive() }
        if anchor == segment.summary.first { anchor = nil }
        do throws(FileSystemError) {
            try fileSystem.unlink(paths.segment(segment.summary.first))
            // The free space is queried again when it is needed.
            allowance = 0
        } catch {
            guard error.code != FileSystemError.notFound else { return }
            strayBytes &+= segment.fileBytes
            failures.note(error, "a segment could not be removed")
        }
    }

    /// The index of the segment that begins with a number.
    func index(ofSegment first: UInt64) -> Int? {
        segments.firstIndex { $0.summary.first == first }
    }
}
