import CPcap

/// Sends frames on an interface of the calling thread's network namespace.
final class FrameSender {
    struct Failure: Error {
        let reason: String
    }

    private let pcap: OpaquePointer

    init(_ interface: String) throws {
        var reason = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        guard let pcap = pcap_open_live(interface, 64, 0, 10, &reason) else {
            throw Failure(reason: String(decoding: reason.map(UInt8.init(bitPattern:)), as: UTF8.self))
        }
        self.pcap = pcap
    }

    deinit {
        pcap_close(pcap)
    }

    /// Sends one frame.
    func send(_ frame: [UInt8]) throws {
        guard pcap_sendpacket(pcap, frame, Int32(frame.count)) == 0 else {
            throw Failure(reason: String(cString: pcap_geterr(pcap)))
        }
    }

    /// Sends `count` frames of an EtherType for experiments, each `length` bytes long.
    func send(_ count: Int, length: Int = 60, type: [UInt8] = [0x88, 0xb5]) throws {
        var frame = [UInt8](repeating: 0x5a, count: length)
        frame.replaceSubrange(0..<6, with: [2, 0, 0, 0, 0, 1])
        frame.replaceSubrange(6..<12, with: [2, 0, 0, 0, 0, 2])
        frame.replaceSubrange(12..<(12 + type.count), with: type)
        for _ in 0..<count {
            guard pcap_sendpacket(pcap, frame, Int32(length)) == 0 else {
                throw Failure(reason: String(cString: pcap_geterr(pcap)))
            }
        }
    }
}
