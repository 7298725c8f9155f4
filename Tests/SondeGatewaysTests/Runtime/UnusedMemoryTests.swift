import Testing

@testable import SondeGateways

struct UnusedMemoryTests {
    @Test func whatIsFreedIsUnusedUntilItIsReleased() async {
        // A process of its own: others allocate and release meanwhile.
        await #expect(processExitsWith: .success) {
            let size = 1 << 10
            let blocks = (0..<32_768).map { _ in
                let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
                block.initializeMemory(as: UInt8.self, repeating: 1, count: size)
                return block
            }
            let before = try #require(ResidentMemory.unusedBytes)
            // One in 64 stays, so that the heap has no free end that it would release by itself.
            for (place, block) in blocks.enumerated() where place % 64 != 0 { block.deallocate() }
            let freed = try #require(ResidentMemory.unusedBytes)
            #expect(freed >= before + 30 << 20)
            ResidentMemory.releaseHeap()
            let released = try #require(ResidentMemory.unusedBytes)
            #expect(released < before + 8 << 20)
        }
    }
}
