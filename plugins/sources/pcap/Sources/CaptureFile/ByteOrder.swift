/// The order of the bytes of numbers in a file, which is that of the host that wrote it.
struct ByteOrder: Hashable {
    /// Whether it is not this host's.
    let isSwapped: Bool

    @inline(__always)
    func uint16(_ base: UnsafeRawPointer, _ offset: Int) -> UInt16 {
        let number = base.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
        return isSwapped ? number.byteSwapped : number
    }

    @inline(__always)
    func uint32(_ base: UnsafeRawPointer, _ offset: Int) -> UInt32 {
        let number = base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return isSwapped ? number.byteSwapped : number
    }

    @inline(__always)
    func uint64(_ base: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        let number = base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return isSwapped ? number.byteSwapped : number
    }
}
