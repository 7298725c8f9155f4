import SondeWire
import Testing

@Suite struct SipKeyTests {
    /// Bytes 0, 1, 2 … as the key, and as many as wanted of them as the message.
    private let key = SipKey(first: 0x0706_0504_0302_0100, second: 0x0f0e_0d0c_0b0a_0908)

    /// The reference implementation's vectors (github.com/veorq/SipHash, vectors.h, SipHash-2-4).
    @Test(
        arguments: [
            (0, 0x726f_db47_dd0e_0e31), (1, 0x74f8_39c5_93dc_67fd), (7, 0xab02_00f5_8b01_d137),
            (8, 0x93f5_f579_9a93_2462), (15, 0xa129_ca61_49be_45e5),
        ] as [(UInt8, UInt64)])
    func aHashIsTheOneOfTheReference(_ length: UInt8, _ hash: UInt64) {
        #expect(key.hash(Array(0..<length)) == hash)
    }

    @Test func anotherKeyMakesAnotherHash() {
        let other = SipKey(first: 0x0706_0504_0302_0100, second: 0x0f0e_0d0c_0b0a_0909)
        #expect(other.hash([1, 2, 3]) != key.hash([1, 2, 3]))
    }
}
