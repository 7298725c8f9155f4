internal import Glibc

/// Ports of 127.0.0.1.
public enum LoopbackPort {
    /// A port that is unused at this moment, over UDP or TCP; 0 when there is none.
    public static func free() -> UInt16 {
        for _ in 0..<32 {
            // SOCK_STREAM and SOCK_DGRAM; Swift sees the enum constants as one type or another.
            let port = bind(0, kind: 1)
            if port > 0, bind(port, kind: 2) == port { return port }
        }
        return 0
    }

    private static func bind(_ port: UInt16, kind: Int32) -> UInt16 {
        let probe = socket(AF_INET, kind, 0)
        guard probe >= 0 else { return 0 }
        defer { close(probe) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return -1 }
            return Glibc.bind(probe, base, size) == 0 ? getsockname(probe, base, &size) : -1
        }
        return result == 0 ? UInt16(bigEndian: address.sin_port) : 0
    }
}
