internal import SondeDomain
internal import SondeEngine

extension DiskLog {
    /// Registers a sink and returns whether it has a position in the log from an earlier run.
    mutating func addReader(
        _ sink: String,
        _ kind: ReaderKind,
        wants: SendContent,
        _ figures: BacklogFigures = BacklogFigures()
    ) -> LogReader {
        let known = readers[sink]
        // A live sink has a position only where it was reconfigured.
        let resumes = known?.kind == kind
        if let known, known.kind == .durable, kind == .live { noteRemoval(sink, known) }
        let next = resumes ? known?.next ?? nextSequence : nextSequence
        // A position that no cursor file of this run has yet does not become safe by reconfiguring the sink.
        let safeNext = resumes && known?.isConfigured == true ? known?.safeNext ?? next : next
        var reader = LogReader(kind: kind, wants: wants, figures: figures, next: next, safeNext: safeNext)
        reader.cutEnd = resumes ? known?.cutEnd : nil
        recount(&reader)
        readers[sink] = reader
        nameReaders()
        return reader
    }

    /// Makes the next append begin a segment when the newest header does not name the current durable sinks: a cursor
    /// that is lost is detected only by it.
    private mutating func nameReaders() {
        let durable = readers.filter { $0.value.kind == .durable }.keys
        guard Set(durable) != namedReaders else { return }
        seal()
        // A named sink that has no cursor any more would be treated as one whose cursor was lost.
        if !namedReaders.isSubset(of: durable) { _ = openSegment() }
    }

    /// Forgets a sink; what it has not read is reported.
    mutating func removeReader(_ sink: String) {
        guard let reader = readers.removeValue(forKey: sink) else { return }
        if reader.kind == .durable { noteRemoval(sink, reader) }
        nameReaders()
        _ = removeRead()
    }

    /// Takes the sinks of an earlier run that are not among `sinks`, with what they lose.
    mutating func takeUnknownReaders(except sinks: Set<String>) -> [(sink: String, loss: Loss?)] {
        let unknown = readers.filter { !sinks.contains($0.key) && !$0.value.isConfigured }
        for sink in unknown.keys { readers[sink] = nil }
        nameReaders()
        _ = removeRead()
        return unknown.map { (sink: $0.key, loss: removalLoss($0.key, $0.value)) }.sorted { $0.sink < $1.sink }
    }

    private mutating func noteRemoval(_ sink: String, _ reader: LogReader) {
        if let loss = removalLoss(sink, reader) { losses.append(loss) }
    }

    private func removalLoss(_ sink: String, _ reader: LogReader) -> Loss? {
        guard reader.waiting > 0 else { return nil }
        let waiting = segments.filter { $0.summary.end > reader.next && $0.summary.points > 0 }.map(\.summary)
        return Loss(
            reason: "sink_removed",
            component: sink,
            from: waiting.map(\.oldest).min(),
            to: waiting.map(\.newest).max(),
            count: reader.waiting
        )
    }

    /// Recounts what waits for every sink.
    mutating func recountAll() {
        for (sink, known) in readers {
            var reader = known
            recount(&reader)
            readers[sink] = reader
        }
    }

    /// Counts what waits for a sink.
    func recount(_ reader: inout LogReader) {
        reader.waiting = 0
        reader.weight = 0
        for segment in segments.reversed() {
            guard segment.summary.end > reader.next else { break }
            let waiting = segment.summary.end &- max(segment.summary.first, reader.next)
            reader.waiting &+= waiting
            let (weight, overflow) = segment.summary.weightPerNumber.multipliedReportingOverflow(
                by: Int64(clamping: waiting))
            reader.weight = overflow ? .max : reader.weight.addingReportingOverflow(weight).partialValue
        }
        let (count, weight) = tail.waiting(from: reader.next)
        reader.waiting &+= count
        reader.weight = reader.weight.addingReportingOverflow(weight).partialValue
        reader.figures.backlog = backlog(of: reader)
    }

    func backlog(of reader: LogReader) -> Backlog {
        var backlog = Backlog()
        guard reader.waiting > 0 else { return backlog }
        backlog.count = Int(clamping: reader.waiting)
        backlog.bytes = max(0, reader.weight)
        let segment = segments.first { $0.summary.end > reader.next }
        backlog.oldest =
            segment.map { marks.instant(of: max(reader.next, $0.summary.first)) ?? $0.appended }
            ?? tail.oldest(from: reader.next)
        return backlog
    }

    /// The stretch under way, or where a new one would end; nil: nothing waits.
    ///
    /// Only numbers below `safeEnd`, if it is given, are offered to a durable sink.
    func nextStretch(for sink: String, maxCount: Int, maxBytes: Int64) -> Stretch? {
        guard let reader = readers[sink] else { return nil }
        if let stretch = reader.stretch { return stretch }
        var end: UInt64?
        var count = 0
        var size: Int64 = 0
        var resource: Resource?
        for segment in segments where segment.summary.end > reader.next && segment.summary.count > 0 {
            if let resource, segment.resource != resource { break }
            resource = segment.resource
            let first = max(segment.summary.first, reader.next)
            let waiting = Int(clamping: segment.summary.end &- first)
            let perNumber = segment.summary.weightPerNumber
            let room = min(max(1, maxCount) - count, Int(clamping: max(0, maxBytes &- size) / perNumber))
            // A batch holds at least one number, whatever its size.
            let taken = min(waiting, count == 0 ? max(1, room) : room)
            guard taken > 0 else { break }
            end = first &+ UInt64(taken) &- 1
            count += taken
            size =
                size.addingReportingOverflow(Int64(taken).multipliedReportingOverflow(by: perNumber).partialValue)
                .partialValue
            guard taken == waiting else { break }
        }
        // A stretch is on the disk or in memory, not both: only the disk can be read again after a crash.
        let last = end ?? tail.cutEnd(from: reader.next, maxCount: maxCount, maxBytes: maxBytes)
        return last.map { Stretch(first: reader.next, last: $0) }
    }

    /// The resource of the first number held of a range, and where the range ends or another resource begins.
    func resource(in range: SequenceRange) -> (resource: Resource, end: UInt64) {
        var found: Resource?
        for segment in segments where !segment.summary.range.overlap(range).isEmpty {
            if let found, segment.resource != found { return (found, segment.summary.first) }
            found = segment.resource
        }
        for frame in tail.frames where !frame.range.overlap(range).isEmpty {
            if let found, frame.group.resource != found { return (found, frame.first) }
            found = frame.group.resource
        }
        return (found ?? resource, range.end)
    }

    /// The segments that hold a part of a range, in order.
    func segments(in range: SequenceRange) -> [LogSegment] {
        segments.filter { !$0.summary.range.overlap(range).isEmpty }
    }

    /// The open file of a segment, if it is open.
    func openFile(ofSegment first: UInt64) -> (any OpenFile)? {
        if let active, active.first == first { return active.file }
        return sealed.first { $0.first == first }?.file
    }

    /// Ends a segment before a number that cannot be read, and reports what that loses.
    mutating func markDamaged(segment first: UInt64, from sequence: UInt64, offset: Int64, _ what: String) {
        guard let index = index(ofSegment: first), sequence < segments[index].summary.end else { return }
        if active?.first == first { seal() }
        // The newest segment keeps checkpoints and the assigned numbers: it is not removed without a successor.
        if active == nil, index == segments.count - 1 { _ = makeSuccessor() }
        guard let index = self.index(ofSegment: first) else { return }
        let lost = SequenceRange(first: max(sequence, first), end: segments[index].summary.end)
        note(lossesOf: lost, "spool_damaged")
        failures.note(.spoolDamaged, "\(SpoolPaths.segmentName(first)) at byte \(offset): \(what)")
        setAside(segmentAt: index, from: offset)
        if lost.first == first {
            remove(at: index)
        } else {
            segments[index].summary.end = lost.first
            segments[index].summary.points = min(segments[index].summary.points, segments[index].summary.count)
            segments[index].summary.bytes = offset
        }
        note(GapRecord(.damaged, lost))
        recountAll()
    }

    /// Notes what the durable sinks lose with a range of numbers.
    mutating func note(lossesOf range: SequenceRange, _ reason: String) {
        for (sink, reader) in readers.sorted(by: { $0.key < $1.key }) where reader.kind == .durable {
            let lost = SequenceRange(first: reader.next, end: .max).overlap(range)
            guard !lost.isEmpty else { continue }
            losses.append(Loss(reason: reason, component: sink, count: lost.count))
        }
    }

    private mutating func setAside(segmentAt index: Int, from offset: Int64) {
        let name = SpoolPaths.segmentName(segments[index].summary.first)
        let file = openFile(ofSegment: segments[index].summary.first)
        guard let file = file ?? (try? fileSystem.open("\(settings.directory)/\(name)", .update)) else { return }
        quarantine.keep(file, from: offset, as: "\(name).\(offset)")
        do throws(FileSystemError) {
            try file.truncate(to: offset)
            segmentBytes &-= segments[index].fileBytes &- offset
            segments[index].fileBytes = offset
            let first = segments[index].summary.first
            for place in sealed.indices where sealed[place].first == first { sealed[place].wasCut(to: offset) }
        } catch {
            failures.note(error, "a damaged segment could not be cut")
        }
    }
}
