import Foundation
import Glibc
import SondeWire

@testable import PcapPlugin

/// A packet with its bytes copied.
struct ReadPacket: Hashable {
    var bytes: [UInt8]
    var wireLength: UInt32
    var linkType: UInt32
    var interface: UInt16
    var time: Int64
}

/// Everything that a reader made of a file.
struct ReadCapture: Hashable {
    var packets: [ReadPacket] = []
    var linkTypes: [UInt32] = []
    var error: CaptureFileError?

    /// Reads `bytes` through a file, `head` of them handed over as read already.
    init(_ bytes: [UInt8], head: Int = 0) {
        let file = TemporaryFile(Array(bytes.dropFirst(head)))
        self.init(descriptor: file.descriptor, head: Array(bytes.prefix(head)))
        withExtendedLifetime(file) {}
    }

    init(descriptor: Int32, head: [UInt8] = [], cancelDescriptor: Int32 = -1) {
        let input = CaptureInput(descriptor, head: head, cancelDescriptor: cancelDescriptor)
        do throws(CaptureFileError) {
            var reader = try CaptureReader.open(input)
            do throws(CaptureFileError) {
                var packet = CapturedPacket.empty
                while try reader.next(&packet) { packets.append(ReadPacket(packet)) }
            } catch {
                self.error = error
            }
            linkTypes = reader.linkTypes
        } catch {
            self.error = error
        }
    }
}

extension ReadPacket {
    init(_ packet: CapturedPacket) {
        self.init(
            bytes: Array(packet.bytes.buffer),
            wireLength: packet.wireLength,
            linkType: packet.linkType,
            interface: packet.interface,
            time: packet.time
        )
    }
}

/// An unnamed file with some content, open at its beginning.
final class TemporaryFile {
    let descriptor: Int32

    init(_ bytes: [UInt8]) {
        let path = FileManager.default.temporaryDirectory.appending(path: "pcap-\(UUID().uuidString)").path
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        unlink(path)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        lseek(descriptor, 0, SEEK_SET)
    }

    deinit {
        close(descriptor)
    }
}
