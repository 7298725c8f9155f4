public import SondeDomain

/// The parts of a recording as bytes: a kind, the length of the rest in 32 bits, the rest; all numbers little-endian.
public enum RecordingPart: UInt8 {
    /// A source.
    case source = 1
    /// A call.
    case frame
    /// What was read.
    case answer
    /// The end.
    case end
}

extension RecordingPart {
    /// A source that the following parts may be of.
    public static func makeSource(_ source: Recording.Source, number: Int) -> [UInt8] {
        make(.source, number16(number) + text(source.id) + text(source.plugin) + number64(source.interval.value))
    }

    /// A call of a source.
    public static func makeFrame(
        _ number: Int, _ call: Recording.Call, _ time: Timestamp, _ instant: MonotonicInstant
    ) -> [UInt8] {
        make(
            .frame, number16(number) + [call.rawValue] + number64(time.nanoseconds) + number64(instant.nanoseconds))
    }

    /// What a source read in its last call; the key is cut at 255 bytes.
    public static func makeAnswer(_ number: Int, _ key: String, _ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        make(.answer, number16(number) + text(key), bytes)
    }

    /// The end, with what was left out.
    public static func makeEnd(_ omitted: [Recording.Omission: UInt64]) -> [UInt8] {
        make(
            .end,
            Recording.Omission.allCases.flatMap { reason in
                omitted[reason].map { [reason.rawValue] + number64(Int64(clamping: $0)) } ?? []
            })
    }

    private static func make(
        _ part: RecordingPart, _ head: [UInt8],
        _ rest: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
    ) -> [UInt8] {
        let length = UInt32(truncatingIfNeeded: head.count &+ rest.count)
        return [part.rawValue] + withUnsafeBytes(of: length.littleEndian) { [UInt8]($0) } + head + rest
    }

    private static func number16(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt16(truncatingIfNeeded: number).littleEndian) { [UInt8]($0) }
    }

    private static func number64(_ number: Int64) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) }
    }

    private static func text(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8.prefix(255))
        return [UInt8(truncatingIfNeeded: bytes.count)] + bytes
    }
}

extension Recording {
    // The sums of times that sources and sinks make stay far from the ends of the range.
    private static let wallTimes = Int64(0)...(1 << 62)
    private static let instants = Int64(0)...(1 << 62)
    private static let intervals = Int64(1_000_000)...86_400_000_000_000
    /// What windows and tiers step over at once.
    private static let longestGap = Nanoseconds.seconds(86_400)

    /// Reads a recording, which is hostile input; one that was cut ends where it was cut.
    ///
    /// Throws `SND-REC001` and `SND-REC002`.
    public init(_ bytes: [UInt8]) throws(SondeError) {
        self.bytes = bytes
        guard bytes.starts(with: Self.head) else { throw .noRecording }
        var reader = RecordingScanner(bytes, from: Self.head.count, to: bytes.count)
        // The place of the last call of each source.
        var last: [Int: Int] = [:]
        while !isComplete {
            let start = reader.offset
            guard let kind = reader.byte(), let length = reader.number(UInt32.self) else { return }
            guard let end = reader.end(after: Int(length)) else { return }
            var part = RecordingScanner(bytes, from: reader.offset, to: end)
            guard take(kind, &part, &last) else { throw .damagedRecording(at: start) }
            reader.offset = end
        }
    }

    private mutating func take(_ kind: UInt8, _ part: inout RecordingScanner, _ last: inout [Int: Int]) -> Bool {
        switch RecordingPart(rawValue: kind) {
        case .source?: takeSource(&part)
        case .frame?: takeFrame(&part, &last)
        case .answer?: takeAnswer(&part, last)
        case .end?: takeEnd(&part)
        // A later version may add kinds.
        case nil: true
        }
    }

    private mutating func takeSource(_ part: inout RecordingScanner) -> Bool {
        guard let number = part.number(UInt16.self), Int(number) == sources.count, sources.count < Self.sourceLimit,
            let id = part.text(), let plugin = part.text(), let interval = part.number(Int64.self),
            Self.intervals.contains(interval), !sources.contains(where: { $0.id == id })
        else { return false }
        sources.append(Source(id: id, plugin: plugin, interval: Nanoseconds(interval)))
        return true
    }

    private mutating func takeFrame(_ part: inout RecordingScanner, _ last: inout [Int: Int]) -> Bool {
        guard let number = part.number(UInt16.self), Int(number) < sources.count,
            let call = part.byte().flatMap(Call.init(rawValue:)), let time = part.number(Int64.self),
            Self.wallTimes.contains(time), let instant = part.number(Int64.self), Self.instants.contains(instant)
        else { return false }
        let frame = Frame(
            source: Int(number), call: call, time: Timestamp(nanoseconds: time),
            instant: MonotonicInstant(nanoseconds: instant))
        if let before = frames.last {
            guard frame.instant >= before.instant, frame.instant.since(before.instant) <= Self.longestGap else {
                return false
            }
        }
        last[frame.source] = frames.count
        frames.append(frame)
        return true
    }

    private mutating func takeAnswer(_ part: inout RecordingScanner, _ last: [Int: Int]) -> Bool {
        guard let number = part.number(UInt16.self), let frame = last[Int(number)], let key = part.text(),
            part.rest.count <= Self.valueLimit
        else { return false }
        frames[frame].answers.append((key, part.rest))
        return true
    }

    private mutating func takeEnd(_ part: inout RecordingScanner) -> Bool {
        while !part.rest.isEmpty {
            guard let reason = part.byte(), let count = part.number(Int64.self), count >= 0 else { return false }
            if let reason = Omission(rawValue: reason) { omitted[reason] = UInt64(count) }
        }
        isComplete = true
        return true
    }
}

/// Takes bytes apart; nil where there are too few.
private struct RecordingScanner {
    private let bytes: [UInt8]
    private let end: Int
    var offset: Int

    init(_ bytes: [UInt8], from offset: Int, to end: Int) {
        self.bytes = bytes
        self.offset = offset
        self.end = end
    }

    /// What is left.
    var rest: Range<Int> { offset..<end }

    /// Where so many further bytes end.
    func end(after count: Int) -> Int? { count <= end &- offset ? offset &+ count : nil }

    mutating func byte() -> UInt8? { number(UInt8.self) }

    mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type) -> Number? {
        guard let end = end(after: MemoryLayout<Number>.size) else { return nil }
        defer { offset = end }
        return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
    }

    mutating func text() -> String? {
        guard let count = byte(), let end = end(after: Int(count)) else { return nil }
        defer { offset = end }
        return String(validating: bytes[offset..<end], as: UTF8.self)
    }
}

extension SondeError {
    fileprivate static var noRecording: SondeError {
        SondeError(
            .noRecording, stage: .inspect, class: .corruptInput,
            message: "the file is no recording of version 1",
            recovery: [.advise("Name a directory that 'sonde record' made, or use the version of sonde that made it.")])
    }

    fileprivate static func damagedRecording(at offset: Int) -> SondeError {
        SondeError(
            .recordingDamaged, stage: .inspect, class: .corruptInput,
            message: "the recording is damaged at byte \(offset)",
            recovery: [.advise("Copy it again from where it was made, or record again.")])
    }
}
