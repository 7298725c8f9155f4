import SondeWire

extension DNSSummary {
    /// What `bytes` say; `wireLength` is more than there are when the capture cut them.
    static func of(_ bytes: [UInt8], wireLength: Int? = nil) -> DNSSummary {
        var summary = DNSSummary()
        // A copy of its own: a sanitizer sees a read past the end.
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: bytes)
        summary.decode(
            WireBytes(UnsafeRawBufferPointer(copy)), wireLength: wireLength ?? bytes.count, seed: 0x1234_5678_9abc_def1)
        return summary
    }
}

/// Reads a copy of `bytes` name by name; returns how many questions and records there were.
func readAll(_ bytes: [UInt8]) throws(DNSMalformation) -> (questions: Int, records: Int) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { copy.deallocate() }
    copy.copyBytes(from: bytes)
    return try DNSFuzzInput.readAll(WireBytes(UnsafeRawBufferPointer(copy)))
}
