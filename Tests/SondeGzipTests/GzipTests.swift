import SondeGzip
import Testing

/// What one side packs, the other reads back, in pieces of any size.
@Suite struct GzipTests {
    private func compressed(_ bytes: [UInt8], block: Int = 1 << 20) throws -> [UInt8] {
        let deflater = try #require(Deflater())
        var result: [UInt8] = []
        var rest = bytes[...]
        repeat {
            let piece = rest.prefix(block)
            rest = rest.dropFirst(block)
            #expect(deflater.deflate(piece, isLast: rest.isEmpty) { result += $0 })
        } while !rest.isEmpty
        return result
    }

    /// Reads `packed` with so much room and so much input at a time.
    private func inflated(_ packed: [UInt8], input: Int, room: Int) throws -> (bytes: [UInt8], isWhole: Bool) {
        let inflater = try #require(Inflater())
        var result: [UInt8] = []
        var rest = packed[...]
        var output = [UInt8](repeating: 0, count: room)
        while true {
            let piece = Array(rest.prefix(input))
            let step = try output.withUnsafeMutableBytes { output in
                try piece.withUnsafeBytes { try inflater.inflate($0, into: output) }
            }
            #expect(step.produced <= room && step.consumed <= piece.count)
            result += output[..<step.produced]
            rest = rest.dropFirst(step.consumed)
            if step.isAtEnd { return (result, true) }
            if step.consumed == 0, step.produced == 0 { return (result, false) }
        }
    }

    private let text = Array(String(repeating: "one line of a log, and another\n", count: 500).utf8)

    @Test(arguments: [(1, 1), (1, 1 << 16), (1 << 16, 1), (7, 13), (1 << 16, 1 << 16)])
    func whatWasPackedIsReadBackInPiecesOfAnySize(_ input: Int, _ room: Int) throws {
        for bytes in [[], [1], text] {
            let read = try inflated(try compressed(bytes, block: 333), input: input, room: room)
            #expect(read.isWhole)
            #expect(read.bytes == bytes)
        }
    }

    @Test func aBombMakesNoMoreThanThereIsRoomFor() throws {
        let packed = try compressed([UInt8](repeating: 0, count: 8 << 20))
        let inflater = try #require(Inflater())
        var output = [UInt8](repeating: 1, count: 100)
        let step = try output.withUnsafeMutableBytes { output in
            try packed.withUnsafeBytes { try inflater.inflate($0, into: output) }
        }
        #expect(step.produced == 100)
        #expect(!step.isAtEnd)
    }

    @Test func aStreamThatBreaksOffIsNeverAtItsEnd() throws {
        let packed = try compressed(text)
        for length in 0..<packed.count {
            #expect(try !inflated(Array(packed[..<length]), input: 64, room: 64).isWhole)
        }
    }

    @Test func aChangedStreamIsRefusedWithTheReason() throws {
        var packed = try compressed(text)
        packed[packed.count - 8] ^= 1
        let flaw = #expect(throws: Inflater.Flaw.self) { try inflated(packed, input: 64, room: 64) }
        #expect(flaw == .corrupt("incorrect data check"))
        #expect(throws: Inflater.Flaw.corrupt("incorrect header check")) {
            try inflated(Array("no gzip at all".utf8), input: 64, room: 64)
        }
    }

    @Test func anotherStreamBeginsAfterARestart() throws {
        let packed = try compressed([1, 2, 3])
        let inflater = try #require(Inflater())
        var output = [UInt8](repeating: 0, count: 10)
        for _ in 0..<3 {
            let step = try output.withUnsafeMutableBytes { output in
                try packed.withUnsafeBytes { try inflater.inflate($0, into: output) }
            }
            #expect(step.consumed == packed.count)
            #expect(step.produced == 3)
            #expect(step.isAtEnd)
            inflater.restart()
        }
    }
}
