/// The messages of ICMP and ICMPv6 that ask for an echo and answer with one.
///
/// Identifier and checksum are the kernel's work.
enum EchoMessage {
    /// A request with 16 bytes of payload.
    static func request(_ sequence: UInt16, isSixth: Bool) -> [UInt8] {
        [isSixth ? 128 : 8, 0, 0, 0, 0, 0, UInt8(sequence >> 8), UInt8(sequence & 0xFF)]
            + [UInt8](repeating: 0x53, count: 16)
    }

    /// The sequence number of an answer; nil for anything else.
    static func answer(_ bytes: ArraySlice<UInt8>, isSixth: Bool) -> UInt16? {
        let bytes = Array(bytes)
        guard bytes.count >= 8, bytes[0] == (isSixth ? 129 : 0), bytes[1] == 0 else { return nil }
        return UInt16(bytes[6]) << 8 | UInt16(bytes[7])
    }
}
