import Testing

@testable import SondeGateways

@Suite struct ControlLineBufferTests {
    private func lines(_ buffer: inout ControlLineBuffer) -> [ControlLineBuffer.Line] {
        var lines: [ControlLineBuffer.Line] = []
        while let line = buffer.next() { lines.append(line) }
        return lines
    }

    @Test func aLineIsWholeOnlyWithItsEnd() {
        var buffer = ControlLineBuffer()
        buffer.append(Array("ab".utf8))
        #expect(buffer.next() == nil)
        buffer.append(Array("c\nd".utf8))
        #expect(lines(&buffer) == [.whole(Array("abc".utf8))])
        buffer.append(Array("\n\n".utf8))
        #expect(lines(&buffer) == [.whole(Array("d".utf8)), .whole([])])
    }

    @Test func theLongestLineIsTaken() {
        var buffer = ControlLineBuffer()
        let line = [UInt8](repeating: 0x61, count: ControlLineBuffer.limit)
        buffer.append(line)
        #expect(buffer.next() == nil)
        buffer.append([0x0a])
        #expect(lines(&buffer) == [.whole(line)])
    }

    @Test(arguments: [ControlLineBuffer.limit + 1, 3 * ControlLineBuffer.limit])
    func aLongerLineIsToldOnceAndTheNextOneIsRead(_ length: Int) {
        var buffer = ControlLineBuffer()
        var told: [ControlLineBuffer.Line] = []
        let bytes = [UInt8](repeating: 0x61, count: length) + Array("\nnext\n".utf8)
        for start in stride(from: 0, to: bytes.count, by: 4_096) {
            buffer.append(bytes[start..<min(start + 4_096, bytes.count)])
            told += lines(&buffer)
        }
        #expect(told == [.tooLong, .whole(Array("next".utf8))])
    }

    @Test func aLongLineThatComesAtOnceIsRefusedToo() {
        var buffer = ControlLineBuffer()
        buffer.append([UInt8](repeating: 0x61, count: ControlLineBuffer.limit + 1) + Array("\nnext\n".utf8))
        #expect(lines(&buffer) == [.tooLong, .whole(Array("next".utf8))])
    }
}
