internal import SondeGzip

/// The members of a gzip file, one after the other as if they were one (RFC 1952, 2.2).
final class GzipMembers {
    private let inflater: Inflater
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private var position = 0
    private var end = 0
    private var isInside = true
    private var isExhausted = false

    /// Nil without memory.
    init?() {
        guard let inflater = Inflater() else { return nil }
        self.inflater = inflater
    }

    deinit {
        buffer.deallocate()
    }

    /// Fills a part of `room` and returns how much; 0 at the end.
    func read(
        into room: UnsafeMutableRawBufferPointer,
        _ refill: (UnsafeMutableRawBufferPointer) throws(CaptureFileError) -> Int
    ) throws(CaptureFileError) -> Int {
        while !isExhausted {
            if position == end {
                position = 0
                end = try refill(buffer)
                guard end > 0 else { return try finish(into: room) }
            }
            if !isInside, try !beginMember(refill) { return 0 }
            let produced = try step(into: room)
            if produced > 0 { return produced }
        }
        return 0
    }

    private func step(into room: UnsafeMutableRawBufferPointer) throws(CaptureFileError) -> Int {
        let input = UnsafeRawBufferPointer(rebasing: buffer[position..<end])
        do throws(Inflater.Flaw) {
            let step = try inflater.inflate(input, into: room)
            position += step.consumed
            if step.isAtEnd { isInside = false }
            return step.produced
        } catch {
            switch error {
            case .corrupt(let reason): throw .compression(reason)
            case .memory: throw .compression("there is no memory for it")
            }
        }
    }

    /// Puts out what zlib still holds; then the file must not end inside a member.
    private func finish(into room: UnsafeMutableRawBufferPointer) throws(CaptureFileError) -> Int {
        guard isInside else {
            isExhausted = true
            return 0
        }
        let produced = try step(into: room)
        guard produced == 0 else { return produced }
        isExhausted = true
        throw .compression("the file ends in the middle of the compressed data")
    }

    /// Whether another member begins here; what follows the last one is padding, as gzip(1) takes it.
    private func beginMember(
        _ refill: (UnsafeMutableRawBufferPointer) throws(CaptureFileError) -> Int
    ) throws(CaptureFileError) -> Bool {
        if end - position == 1 {
            buffer[0] = buffer[position]
            position = 0
            end = 1
            end += try refill(UnsafeMutableRawBufferPointer(rebasing: buffer[1...]))
        }
        guard end - position >= 2, buffer[position] == 0x1f, buffer[position + 1] == 0x8b else {
            isExhausted = true
            return false
        }
        inflater.restart()
        isInside = true
        return true
    }
}
