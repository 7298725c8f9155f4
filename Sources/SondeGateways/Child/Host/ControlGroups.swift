internal import CLinux
internal import Glibc
internal import SondeDomain
internal import SondeEngine

/// The control groups (version 2) that a service manager has delegated to the agent: one for the agent itself, and one for each
/// process that has limits.
public struct ControlGroups: Sendable {
    // A group that delegates controllers to others may have no process of its own.
    private static let agent = "agent"
    private static let controllers = ["cpu", "memory", "pids"]
    // Of one instance: while a configuration is tried out, there are two.
    private static let most = 16

    /// The path of what was delegated.
    let root: String

    /// Those in which this process is, where it has taken them over; nil: none.
    static var inForce: ControlGroups? {
        guard let own = path(inProcessFile: read("/proc/self/cgroup")), own.hasSuffix("/\(agent)") else { return nil }
        let root = String(own.dropLast(agent.utf8.count + 1))
        let enabled = read("\(root)/cgroup.subtree_control").split { $0 == " " || $0 == "\n" }.map(String.init)
        return Set(enabled).isSuperset(of: controllers) ? ControlGroups(root: root) : nil
    }

    /// Moves this process into a group of its own, where its own was delegated, and lets others have limits beside it.
    ///
    /// Before it starts another process. Nothing happens where nothing was delegated: root may write to the groups of others, too.
    public static func takeOver() {
        guard let root = path(inProcessFile: read("/proc/self/cgroup")), sonde_is_delegated(root) == 1 else { return }
        mkdir("\(root)/\(agent)", 0o755)
        guard write("0", to: "\(root)/\(agent)/cgroup.procs") else { return }
        _ = write(controllers.map { "+\($0)" }.joined(separator: " "), to: "\(root)/cgroup.subtree_control")
    }

    /// A group with these limits for a process of an instance; nil: there can be none.
    func make(for id: String, _ limits: ProcessLimits) -> ControlGroup? {
        for number in 1...Self.most {
            let group = ControlGroup(path: "\(root)/plugin-\(id)" + (number == 1 ? "" : "-\(number)"))
            // One that is left over has counted what happened in it.
            group.remove()
            guard mkdir(group.path, 0o755) == 0 else {
                guard errno == EEXIST else { return nil }
                continue
            }
            if group.set(limits) { return group }
            group.remove()
            return nil
        }
        return nil
    }

    /// The directory of the group that `/proc/self/cgroup` names; nil: it names none of version 2.
    static func path(inProcessFile text: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix("0::/") }.map { "/sys/fs/cgroup" + $0.dropFirst(3) }
    }

    static func read(_ path: String) -> String {
        (try? PosixFileReader().read(path, limit: 16_384).text) ?? ""
    }

    static func write(_ text: String, to path: String) -> Bool {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        return Glibc.write(file, text, text.utf8.count) == text.utf8.count
    }
}

/// The control group of one process and of what that starts.
struct ControlGroup: Sendable {
    let path: String

    /// Whether the kernel has killed what is in it for want of memory.
    var hasExceededMemory: Bool { Self.kills(inEvents: ControlGroups.read("\(path)/memory.events")) > 0 }

    /// Kills all that is in it.
    func kill() { _ = ControlGroups.write("1", to: "\(path)/cgroup.kill") }

    /// Removes it, when it is empty.
    func remove() { rmdir(path) }

    fileprivate func set(_ limits: ProcessLimits) -> Bool {
        for (file, text) in Self.settings(limits) {
            let isSet = ControlGroups.write(text, to: "\(path)/\(file)")
            // A kernel that does not account for swap has no such file.
            guard isSet || file == "memory.swap.max" else { return false }
        }
        return true
    }

    /// What is written to which file.
    static func settings(_ limits: ProcessLimits) -> [(file: String, text: String)] {
        var settings: [(file: String, text: String)] = []
        if let memory = limits.memory {
            settings += [("memory.max", "\(memory)"), ("memory.swap.max", "0"), ("memory.oom.group", "1")]
        }
        if let share = limits.cpuShare {
            // Microseconds of each tenth of a second; the kernel takes no fewer than a thousand.
            settings.append(("cpu.max", "\(Int64(max(1_000, share * 100_000))) 100000"))
        }
        if let processes = limits.processes {
            // It counts threads, of which a process has some: this stops what starts thousands between two looks.
            settings.append(("pids.max", "\(processes * 8 + 16)"))
        }
        return settings
    }

    /// How often `memory.events` says that something was killed.
    static func kills(inEvents text: String) -> Int {
        text.split(separator: "\n").reduce(0) { sum, line in
            let words = line.split(separator: " ")
            guard words.count == 2, words[0] == "oom_kill" || words[0] == "oom_group_kill" else { return sum }
            return sum + (Int(words[1]) ?? 0)
        }
    }
}
