import SondeWire
import Testing

@Suite struct WireBytesTests {
    private let memory: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9]

    @Test func numbersAreReadInNetworkOrder() {
        memory.withUnsafeBytes { buffer in
            let bytes = WireBytes(buffer)
            #expect(bytes.uint8(at: 8) == 9)
            #expect(bytes.uint16(at: 1) == 0x0203)
            #expect(bytes.uint32(at: 2) == 0x0304_0506)
            #expect(bytes.uint64(at: 1) == 0x0203_0405_0607_0809)
        }
    }

    @Test(arguments: [-1, 9, 10, Int.max, Int.min])
    func nothingIsReadOutsideOfTheBytes(offset: Int) {
        memory.withUnsafeBytes { buffer in
            let bytes = WireBytes(buffer)
            #expect(bytes.uint8(at: offset) == nil)
            #expect(bytes.uint16(at: offset) == nil)
            #expect(bytes.uint32(at: offset) == nil)
            #expect(bytes.uint64(at: offset) == nil)
        }
    }

    @Test func aNumberThatIsCutOffIsNotRead() {
        memory.withUnsafeBytes { buffer in
            let bytes = WireBytes(buffer)
            #expect(bytes.uint16(at: 8) == nil)
            #expect(bytes.uint32(at: 6) == nil)
            #expect(bytes.uint64(at: 2) == nil)
        }
    }

    @Test func viewsStayWithinTheBytes() {
        memory.withUnsafeBytes { buffer in
            let bytes = WireBytes(buffer)
            #expect(bytes.dropping(7).count == 2)
            #expect(bytes.dropping(100).count == 0)
            #expect(bytes.dropping(-3).count == 9)
            #expect(bytes.prefix(4).uint8(at: 4) == nil)
            #expect(bytes.prefix(-1).count == 0)
            #expect(bytes.prefix(100).count == 9)
        }
    }

    @Test func noBytesAtAllAreAValidView() {
        let bytes = WireBytes(UnsafeRawBufferPointer(start: nil, count: 0))
        #expect(bytes.uint8(at: 0) == nil)
        #expect(bytes.dropping(1).count == 0)
    }
}
