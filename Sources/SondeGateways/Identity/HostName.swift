internal import Glibc

/// The machine's name.
public enum HostName {
    /// gethostname(2), or nil when the name is empty or cannot be read.
    public static var current: String? {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
        let name = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return name.isEmpty ? nil : name
    }
}
