internal import Glibc
internal import SondePluginKit

/// The names of cgroups by the kernel's number, which is that of the directory (`cgroup_id`, kernel/cgroup/cgroup.c).
final class CgroupNames {
    /// Directories that are looked at, and how deep below each other.
    private static let limit = 16_384
    private static let depth = 16

    private let roots: [String]
    private let tape: SourceTape?
    private var names: [UInt64: String] = [:]
    private var room = 0

    /// Names below the first of these directories that is a cgroup tree of version 2.
    init(roots: [String] = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"], tape: SourceTape? = nil) {
        self.roots = roots
        self.tape = tape
    }

    /// The name of a cgroup; nil when it is not known.
    subscript(number: UInt64) -> String? { names[number] }

    /// Reads the tree again when one of the numbers is not known.
    func learn(_ numbers: some Sequence<UInt64>) {
        guard numbers.contains(where: { names[$0] == nil }) else { return }
        guard let tape else { return readTree() }
        // Those that are asked for, a line each.
        let text = tape.text("cgroups") {
            readTree()
            return numbers.compactMap { number in names[number].map { "\(number) \($0)" } }.joined(separator: "\n")
        }
        for line in (text ?? "").split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let number = UInt64(parts[0]) else { continue }
            names[number] = String(parts[1])
        }
    }

    private func readTree() {
        names = [:]
        room = Self.limit
        // Only a tree of version 2 has this file.
        guard let root = roots.first(where: { access("\($0)/cgroup.controllers", F_OK) == 0 }) else { return }
        var status = stat()
        guard stat(root, &status) == 0 else { return }
        names[UInt64(status.st_ino)] = "/"
        read(root, "", depth: 0)
    }

    private func read(_ root: String, _ path: String, depth: Int) {
        guard depth < Self.depth, let directory = opendir(root + path) else { return }
        defer { closedir(directory) }
        while room > 0, let entry = readdir(directory) {
            guard entry.pointee.d_type == DT_DIR else { continue }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                KernelText.name(UnsafeRawBufferPointer(rebasing: bytes.prefix { $0 != 0 }))
            }
            guard name != ".", name != ".." else { continue }
            room &-= 1
            let child = "\(path)/\(name)"
            names[UInt64(entry.pointee.d_ino)] = Self.word(child)
            read(root, child, depth: depth &+ 1)
        }
    }

    /// What people call a cgroup: its unit, or the container with the first twelve digits of its id.
    static func word(_ path: String) -> String {
        let parts = path.split(separator: "/")
        guard let last = parts.last else { return "/" }
        if let container = container(last, parent: parts.dropLast().last) { return container }
        return String(parts.last { $0.hasSuffix(".service") || $0.hasSuffix(".scope") } ?? last)
    }

    /// `docker-<64 digits>.scope`, `cri-containerd-<64 digits>.scope` or `<64 digits>` below `docker`.
    private static func container(_ part: Substring, parent: Substring?) -> String? {
        let stem = part.hasSuffix(".scope") ? part.dropLast(6) : part
        let digits = stem.suffix(64)
        guard digits.utf8.count == 64, digits.utf8.allSatisfy(isHexadecimal) else { return nil }
        let kind = stem.dropLast(64).hasSuffix("-") ? stem.dropLast(65) : parent ?? "container"
        return "\(kind)-\(digits.prefix(12))"
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}
