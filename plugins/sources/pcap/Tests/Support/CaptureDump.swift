import CPcap
import Foundation

/// A capture that libpcap records on an interface of the calling thread's network namespace.
final class CaptureDump {
    struct Failure: Error {
        let reason: String
    }

    private let pcap: OpaquePointer
    private let dump: OpaquePointer
    private let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).pcap").path

    init(_ interface: String, snapLength: Int32) throws {
        var reason = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        guard let pcap = pcap_open_live(interface, snapLength, 1, 10, &reason), pcap_setnonblock(pcap, 1, &reason) == 0
        else { throw Failure(reason: String(decoding: reason.map(UInt8.init(bitPattern:)), as: UTF8.self)) }
        guard let dump = pcap_dump_open(pcap, path) else { throw Failure(reason: String(cString: pcap_geterr(pcap))) }
        self.pcap = pcap
        self.dump = dump
    }

    deinit {
        pcap_dump_close(dump)
        pcap_close(pcap)
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Records what waits.
    func drain() throws {
        guard pcap_dispatch(pcap, -1, pcap_dump, UnsafeMutablePointer<UInt8>(dump)) >= 0 else {
            throw Failure(reason: String(cString: pcap_geterr(pcap)))
        }
    }

    /// The file so far.
    func bytes() throws -> [UInt8] {
        pcap_dump_flush(dump)
        return [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    /// How many packets the kernel had no room for.
    var dropped: UInt32 {
        var statistics = pcap_stat()
        return pcap_stats(pcap, &statistics) == 0 ? statistics.ps_drop : .max
    }
}
