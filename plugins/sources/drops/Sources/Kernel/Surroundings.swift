/// What of the host decides whether programs may be loaded and events be opened.
struct Surroundings: Hashable {
    /// Whether the process is in a user namespace other than the first, where its capabilities hold for nothing of the host.
    var isInUserNamespace = false
    /// Whether the kernel is locked down so far that nothing may look into it.
    var isLockedDown = false
    /// kernel.unprivileged_bpf_disabled; empty: not known.
    var unprivilegedBPF = ""
    /// kernel.perf_event_paranoid; empty: not known.
    var paranoia = ""
    /// Whether the kernel has tracefs at all.
    var hasTracing = true
    /// The kernel's release.
    var release = ""

    /// Those of this process.
    static var here: Surroundings {
        var here = Surroundings()
        let map = KernelFile.text("/proc/self/uid_map").split(separator: " ")
        here.isInUserNamespace = !map.isEmpty && map != ["0", "0", "4294967295"]
        here.isLockedDown = KernelFile.text("/sys/kernel/security/lockdown").split(separator: " ")
            .contains("[confidentiality]")
        here.unprivilegedBPF = KernelFile.text("/proc/sys/kernel/unprivileged_bpf_disabled")
        here.paranoia = KernelFile.text("/proc/sys/kernel/perf_event_paranoid")
        here.release = KernelFile.text("/proc/sys/kernel/osrelease")
        if let systems = try? KernelFile.read("/proc/filesystems") {
            let words = systems.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\t") }
            here.hasTracing = words.contains { $0.elementsEqual("tracefs".utf8) }
        }
        return here
    }
}
