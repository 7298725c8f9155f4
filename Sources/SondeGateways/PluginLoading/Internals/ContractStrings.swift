internal import CSondePlugin
internal import Glibc

/// Keeps NUL-terminated copies of strings for a plugin until it is gone.
final class ContractStrings {
    private var blocks: [UnsafeMutableRawBufferPointer] = []

    deinit {
        for block in blocks {
            // Options may be secrets: they must not stay readable in freed memory.
            if let start = block.baseAddress { explicit_bzero(start, block.count) }
            block.deallocate()
        }
    }

    /// A copy that lives as long as this.
    func store(_ text: String) -> sonde_string {
        var text = text
        return text.withUTF8 { store(UnsafeRawBufferPointer($0)) }
    }

    /// A copy that lives as long as this.
    func store(_ bytes: UnsafeRawBufferPointer) -> sonde_string {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + 1, alignment: 1)
        block.copyMemory(from: bytes)
        block[bytes.count] = 0
        blocks.append(block)
        let start = block.baseAddress.map { UnsafePointer($0.assumingMemoryBound(to: CChar.self)) }
        return sonde_string(data: start, size: bytes.count)
    }
}
