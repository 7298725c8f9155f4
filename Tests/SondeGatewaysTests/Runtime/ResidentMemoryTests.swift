import CLinux
import Glibc
import SondeEngine
import Testing

@testable import SondeGateways

@Suite(.serialized) struct ResidentMemoryTests {
    /// An object of the C library's package that nothing calls.
    private let library = "libBrokenLocale.so.1"

    @Test func allThatAnObjectHasTouchedIsReleased() throws {
        let object = try #require(dlopen(library, RTLD_NOW | RTLD_LOCAL))
        defer { dlclose(object) }
        // Headers and symbols, code, constants.
        let segments = try mappings().filter { !$0.protection.contains("w") && $0.privateDirty == 0 }
        #expect(segments.map(\.protection) == ["r--p", "r-xp", "r--p"])
        for segment in segments {
            let address = try #require(UnsafeRawPointer(bitPattern: segment.start))
            withExtendedLifetime(address.loadUnaligned(as: UInt8.self)) {}
        }
        ResidentMemory.release()
        let starts = segments.map(\.start)
        #expect(try mappings().filter { starts.contains($0.start) }.map(\.resident) == [0, 0, 0])
    }

    @Test func whatTheLoaderHasRelocatedIsKept() throws {
        let object = try #require(dlopen(library, RTLD_NOW | RTLD_LOCAL))
        defer { dlclose(object) }
        let relocated = try #require(try mappings().last { $0.protection == "r--p" && $0.privateDirty > 0 })
        ResidentMemory.release()
        let after = try #require(try mappings().first { $0.start == relocated.start })
        #expect(after.privateDirty == relocated.privateDirty)
    }

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

    @Test func aLargeAllocationStaysOutsideTheHeapAfterALargerOneWasFreed() async {
        await #expect(processExitsWith: .success) {
            ResidentMemory.shareOneHeap()
            UnsafeMutableRawPointer.allocate(byteCount: 4 << 20, alignment: 16).deallocate()
            let mapped = mallinfo2().hblks
            let large = UnsafeMutableRawPointer.allocate(byteCount: 130 << 10, alignment: 16)
            defer { large.deallocate() }
            #expect(mallinfo2().hblks == mapped + 1)
        }
    }

    /// A mapping of the library as /proc/self/smaps shows it, sizes in kB.
    private struct Mapping {
        let start: UInt
        let protection: Substring
        var resident = 0
        var privateDirty = 0
    }

    private func mappings() throws -> [Mapping] {
        var found: [Mapping] = []
        var isOfLibrary = false
        for line in try PosixFileReader().read("/proc/self/smaps", limit: 1 << 24).text.split(separator: "\n") {
            let fields = line.split(separator: " ")
            if let start = fields[0].split(separator: "-").first.flatMap({ UInt($0, radix: 16) }), fields.count >= 5 {
                isOfLibrary = line.hasSuffix(library)
                if isOfLibrary { found.append(Mapping(start: start, protection: fields[1])) }
            } else if isOfLibrary, fields[0] == "Rss:" {
                found[found.count - 1].resident = try #require(Int(fields[1]))
            } else if isOfLibrary, fields[0] == "Private_Dirty:" {
                found[found.count - 1].privateDirty = try #require(Int(fields[1]))
            }
        }
        return found
    }
}
