import Glibc

@testable import DropsPlugin

/// Whether programs may be loaded here.
enum Tracing {
    static let isUsable = geteuid() == 0 && access("/sys/kernel/tracing/events/skb/kfree_skb/format", R_OK) == 0

    /// How many descriptors of programs, events and maps this process has.
    static var openDescriptors: Int {
        guard let folder = opendir("/proc/self/fd") else { return -1 }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            var target = [CChar](repeating: 0, count: 64)
            guard readlink("/proc/self/fd/\(name)", &target, target.count - 1) > 0 else { continue }
            let text = String(decoding: target.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            if text.hasPrefix("anon_inode:bpf") || text == "anon_inode:[perf_event]" { count += 1 }
        }
        return count
    }
}
