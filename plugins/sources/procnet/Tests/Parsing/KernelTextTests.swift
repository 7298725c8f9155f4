import Testing

@testable import ProcNetPlugin

@Suite struct KernelTextTests {
    private func name(_ bytes: [UInt8]) -> String {
        bytes.withUnsafeBytes { KernelText.name($0) }
    }

    @Test func validTextStaysAsItIs() {
        #expect(name(Array("eth0:1".utf8)) == "eth0:1")
        #expect(name(Array("bü".utf8)) == "bü")
    }

    @Test func differentOddBytesGiveDifferentNames() {
        #expect(name([0x62, 0xFF]) == #"b\xff"#)
        #expect(name([0x62, 0xFE]) == #"b\xfe"#)
        #expect(name([0x62, 0x01]) == #"b\x01"#)
    }
}
