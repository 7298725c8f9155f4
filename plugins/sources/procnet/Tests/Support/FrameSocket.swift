import Foundation
import Glibc

/// Sends frames of a known number and length on an interface.
final class FrameSocket {
    struct Failure: Error {
        let number = errno
    }

    private let descriptor: Int32
    private let index: UInt32

    init(_ interface: String) throws {
        index = if_nametoindex(interface)
        // AF_PACKET is 17; a protocol of 0 receives nothing.
        descriptor = socket(17, Int32(SOCK_RAW.rawValue), 0)
        guard index != 0, descriptor >= 0 else { throw Failure() }
    }

    deinit {
        close(descriptor)
    }

    /// Sends `count` frames of a type that no host answers, as broadcast.
    func send(_ count: Int, length: Int) throws {
        var frame = [UInt8](repeating: 0, count: length)
        frame.replaceSubrange(0..<14, with: [UInt8](repeating: 0xff, count: 6) + [2, 0, 0, 0, 0, 0xfd, 0x88, 0xb5])
        // struct sockaddr_ll, packet(7): the family, a protocol, the index and nothing more.
        var address = [UInt8](repeating: 0, count: 20)
        address[0] = 17
        withUnsafeBytes(of: index) { address.replaceSubrange(4..<8, with: $0) }
        for _ in 0..<count {
            let sent = address.withUnsafeBytes { address in
                sendto(
                    descriptor,
                    frame,
                    length,
                    0,
                    address.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                    socklen_t(address.count)
                )
            }
            guard sent == length else { throw Failure() }
        }
    }
}
