import Testing

@testable import SondeFormats

@Suite struct ByteBufferTests {
    /// Writes so many bytes into an empty buffer.
    private func use(_ buffer: inout ByteBuffer, _ count: Int) {
        buffer.removeAll()
        buffer.append([UInt8](repeating: 7, count: count))
    }

    @Test func memoryThatNothingNeedsAnyMoreIsGivenBack() {
        var buffer = ByteBuffer()
        use(&buffer, 1_000_000)
        // The first eight contents have the large one among them.
        for _ in 0..<15 { use(&buffer, 200_000) }
        #expect(buffer.bytes.capacity >= 1_000_000)
        use(&buffer, 200_000)
        #expect((200_000..<300_000).contains(buffer.bytes.capacity))
    }

    @Test func memoryThatIsNeededNowAndThenIsKept() {
        var buffer = ByteBuffer()
        use(&buffer, 1_000_000)
        let capacity = buffer.bytes.capacity
        for number in 1...1_000 { use(&buffer, number % 7 == 0 ? 900_000 : 10) }
        #expect(buffer.bytes.capacity == capacity)
    }

    @Test func littleMemoryIsKept() {
        var buffer = ByteBuffer()
        use(&buffer, 10_000)
        let capacity = buffer.bytes.capacity
        for _ in 0..<1_000 { use(&buffer, 10) }
        #expect(buffer.bytes.capacity == capacity && buffer.count == 10)
    }
}
