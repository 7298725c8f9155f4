import Foundation
import Glibc
import SondeGzip
import SondeTestKit
import Testing

@testable import PcapPlugin

/// Capture files in gzip, and from where nothing can be rewound.
@Suite struct CompressedCaptureTests {
    private func classic(packets: Int = 50) -> [UInt8] {
        var builder = ClassicCaptureBuilder(.nanoseconds, .big)
        for number in 0..<packets { builder.add([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number)) }
        return builder.bytes
    }

    private func compressed(_ bytes: [UInt8]) throws -> [UInt8] {
        let deflater = try #require(Deflater())
        var result: [UInt8] = []
        #expect(deflater.deflate(bytes[...], isLast: true) { result += $0 })
        return result
    }

    @Test func aGzipFileIsReadAsWhatIsInIt() throws {
        let bytes = classic()
        let packed = try compressed(bytes)
        for head in [0, 1, 2, 10, packed.count] {
            #expect(ReadCapture(packed, head: head) == ReadCapture(bytes), "\(head)")
        }
        var builder = BlockCaptureBuilder(.big)
        builder.addInterface()
        builder.addPacket([1, 2, 3])
        #expect(ReadCapture(try compressed(builder.bytes)) == ReadCapture(builder.bytes))
    }

    @Test func membersThatFollowEachOtherAreOneFile() throws {
        let bytes = classic()
        for cut in [0, 1, 3, 24, 700, bytes.count] {
            let packed = try compressed(Array(bytes[..<cut])) + compressed(Array(bytes[cut...]))
            #expect(ReadCapture(packed) == ReadCapture(bytes), "\(cut)")
        }
    }

    @Test(arguments: [[0], [0, 0, 0, 0, 0, 0], [0x1f], [0x1f, 0]] as [[UInt8]])
    func paddingBehindTheLastMemberIsNoPartOfTheFile(_ padding: [UInt8]) throws {
        let bytes = classic()
        #expect(ReadCapture(try compressed(bytes) + padding) == ReadCapture(bytes))
    }

    @Test func aGzipFileThatBreaksOffGivesWhatCouldBeReadAndSaysSo() throws {
        let bytes = classic()
        let whole = ReadCapture(bytes).packets
        let packed = try compressed(bytes)
        for length in 18..<packed.count {
            let capture = ReadCapture(Array(packed[..<length]))
            #expect(capture.error == .compression("the file ends in the middle of the compressed data"), "\(length)")
            #expect(whole.starts(with: capture.packets), "\(length)")
        }
    }

    @Test func aChangedByteOfAGzipFileNeverTrapsAndIsNeverSilent() throws {
        let bytes = classic()
        let packed = try compressed(bytes)
        // Behind the header, whose time stamp and flags may be anything.
        for position in packed.indices.dropFirst(10) {
            var changed = packed
            changed[position] ^= 0x11
            #expect(ReadCapture(changed).error != nil, "\(position)")
        }
    }

    @Test func aPipeThatDeliversByteByByteIsReadTheSame() throws {
        let bytes = classic(packets: 20)
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let writer = ends[1]
        let thread = Thread {
            for byte in bytes { _ = withUnsafeBytes(of: byte) { write(writer, $0.baseAddress, 1) } }
            close(writer)
        }
        thread.start()
        let capture = ReadCapture(descriptor: ends[0])
        close(ends[0])
        #expect(capture == ReadCapture(bytes))
    }

    @Test func aWaitForASilentPipeEndsWhenItIsCancelled() throws {
        var ends: [Int32] = [-1, -1]
        var cancel: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0 && pipe(&cancel) == 0)
        close(cancel[1])
        #expect(ReadCapture(descriptor: ends[0], cancelDescriptor: cancel[0]).error == .cancelled)
        for descriptor in [ends[0], ends[1], cancel[0]] { close(descriptor) }
    }

    @Test func aDescriptorThatCannotBeReadIsAnErrorOfTheSystem() {
        let directory = open("/", O_RDONLY | O_DIRECTORY)
        #expect(ReadCapture(descriptor: directory).error == .unreadable(EISDIR))
        close(directory)
    }
}
