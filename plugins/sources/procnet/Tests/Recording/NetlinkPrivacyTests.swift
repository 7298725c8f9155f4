import SondeNetlink
import SondePluginKit
import SondeTestKit
import Testing

@testable import ProcNetPlugin

@Suite struct NetlinkPrivacyTests {
    private func message(_ type: UInt16, _ content: [UInt8]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 16) + content
        withUnsafeBytes(of: UInt32(bytes.count)) { bytes.replaceSubrange(0..<4, with: $0) }
        withUnsafeBytes(of: type) { bytes.replaceSubrange(4..<6, with: $0) }
        return bytes + [UInt8](repeating: 0, count: -bytes.count & 3)
    }

    private func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4) + value
        withUnsafeBytes(of: UInt16(bytes.count)) { bytes.replaceSubrange(0..<2, with: $0) }
        withUnsafeBytes(of: type) { bytes.replaceSubrange(2..<4, with: $0) }
        return bytes + [UInt8](repeating: 0, count: -bytes.count & 3)
    }

    private func kept(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        NetlinkPrivacy.erase(&bytes)
        return bytes
    }

    @Test func ofASocketThereAreStatePortsAndQueues() {
        let content = (0..<72).map { UInt8($0 + 1) }
        let found = kept(message(20, content + attribute(1, [9, 9]) + attribute(21, [7, 0, 0, 0, 0, 0, 0, 0])))
        let stays = Set(0..<8).union(40..<44).union(52..<64)
        for place in 0..<72 { #expect(found[16 + place] == (stays.contains(place) ? UInt8(place + 1) : 0)) }
        #expect(Array(found[88..<96]) == [6, 0, 1, 0, 0, 0, 0, 0])
        #expect(Array(found[96...]) == attribute(21, [7, 0, 0, 0, 0, 0, 0, 0]))
    }

    @Test func ofALinkThereAreNameAndKindButNoAddress() {
        let kind = attribute(1, Array("veth".utf8) + [0]) + attribute(2, [5, 5, 5, 5])
        let found = kept(
            message(
                16,
                [UInt8](repeating: 1, count: 16) + attribute(3, Array("eth0".utf8))
                    + attribute(1, [250, 251, 252, 253, 254, 255])
                    + attribute(18, kind) + attribute(20, Array("to Alice".utf8))))
        let text = String(decoding: found, as: UTF8.self)
        #expect(text.contains("eth0") && text.contains("veth") && !text.contains("Alice"))
        #expect(!found.contains { $0 >= 250 })
        #expect(found.count { $0 == 5 } == 0)
    }

    @Test func ofAMessageThatIsNotKnownThereIsTheHead() {
        let found = kept(
            message(99, [1, 2, 3, 4]) + message(28, [UInt8](repeating: 3, count: 12) + attribute(1, [8, 8])))
        #expect(found[16..<20].allSatisfy { $0 == 0 })
        #expect(!found[36...].contains(8))
    }

    @Test func noBytesEndTheProcess() {
        var random = SeededGenerator(seed: 115)
        let whole =
            message(20, [UInt8](repeating: 1, count: 72) + attribute(2, [1, 2, 3]))
            + message(16, [UInt8](repeating: 1, count: 16) + attribute(18, attribute(1, [1])))
        for _ in 0..<6_000 {
            var bytes = whole
            bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            for _ in 0..<4 {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: .min ... .max, using: &random)
            }
            let count = bytes.count
            NetlinkPrivacy.erase(&bytes)
            #expect(bytes.count == count)
        }
    }

    @Test func tablesOfSocketsLoseTheirAddresses() {
        let line =
            "   0: 0100007F:0035 0A000001:D431 0A 00000000:00000000 00:00000000 00000000  0  0 1131 1 ffff9f1d 100 0 0 10 0"
        let found = Array(line.utf8).withUnsafeBytes { SourceTape.withoutAddresses($0) }
        #expect(
            String(decoding: found, as: UTF8.self)
                == line.replacing("0100007F", with: "00000000").replacing("0A000001", with: "00000000"))
    }
}
