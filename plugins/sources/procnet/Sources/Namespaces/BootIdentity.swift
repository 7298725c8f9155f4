/// Distinguishes one boot of the kernel from another (`/proc/sys/kernel/random/boot_id`, random(4)).
final class BootIdentity {
    private var file: ProcFile
    private let buffer = ProcBuffer(capacity: 64)

    init(proc: String) {
        file = ProcFile(path: "\(proc)/sys/kernel/random/boot_id", limit: 64)
    }

    /// The text of the file, or nil when it cannot be read.
    func read() -> String? {
        guard let count = try? file.read(into: buffer), count > 0 else { return nil }
        return KernelText.name(buffer.prefix(min(count, 36)))
    }
}
