import SondeTestKit
import Testing

@testable import PcapPlugin

/// Every byte of a file changed: the reader ends, within its bounds, for any such file.
@Suite struct DamagedCaptureTests {
    private static func classic(_ format: ClassicCaptureBuilder.Format, _ order: EndianWriter.Order) -> [UInt8] {
        var builder = ClassicCaptureBuilder(format, order)
        for count in [1, 60, 0] { builder.add([UInt8](repeating: 3, count: count)) }
        return builder.bytes
    }

    private static func blocks(_ order: EndianWriter.Order) -> [UInt8] {
        var builder = BlockCaptureBuilder(order)
        builder.addInterface(linkType: 1, snapshotLength: 96, resolution: 9, offset: 5)
        builder.addPacket([UInt8](repeating: 3, count: 61), ticks: 1 << 40)
        builder.addSection(order == .big ? .little : .big)
        builder.addInterface(resolution: 0x94)
        builder.addObsoletePacket([UInt8](repeating: 4, count: 7), ticks: 9)
        builder.addSimplePacket([UInt8](repeating: 4, count: 7))
        builder.addBlock(5, [1, 2, 3, 4, 5])
        return builder.bytes
    }

    private static let files: [[UInt8]] =
        EndianWriter.Order.allCases.map(blocks)
        + ClassicCaptureBuilder.Format.allCases.flatMap { format in
            EndianWriter.Order.allCases.map { classic(format, $0) }
        }

    @Test(arguments: files.indices)
    func aChangedByteNeverTrapsNorMakesPacketsOutOfNothing(_ index: Int) {
        let file = Self.files[index]
        #expect(ReadCapture(file).error == nil)
        for position in file.indices {
            for value in [0, 1, 0x7f, 0x80, 0xff, ~file[position], file[position] ^ 0x20] as [UInt8] {
                var changed = file
                changed[position] = value
                let capture = ReadCapture(changed)
                // A record takes at least 16 bytes of the file, so that there cannot be more than these.
                #expect(capture.packets.count <= file.count / 16, "byte \(position) = \(value)")
                let total = capture.packets.reduce(0) { $0 + $1.bytes.count }
                #expect(total <= file.count, "byte \(position) = \(value)")
            }
        }
    }

    @Test func randomDamageAndRandomCutsNeverTrap() {
        var generator = SeededGenerator(seed: 0x5eed)
        for round in 0..<20_000 {
            var file = Self.files[round % Self.files.count]
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                file[Int.random(in: 0..<file.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            file.removeLast(Int.random(in: 0...8, using: &generator))
            #expect(ReadCapture(file).packets.count <= file.count / 16)
        }
    }
}
