internal import Glibc

/// Writes to descriptors that may take less than everything at once, such as terminals and pipes.
public enum DescriptorWriter {
    /// Writes all of the bytes, and waits where the descriptor takes none.
    ///
    /// False: it failed, and `errno` says why.
    public static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&entry, 1, -1)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}
