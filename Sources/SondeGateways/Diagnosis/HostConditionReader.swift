internal import Glibc
internal import SondeDomain
public import SondeEngine

/// Reads what the host and a process are like from `/proc`, `/sys/fs/cgroup` and the file system.
///
/// `files` reads the former two, so that tests can say what stands there.
public struct HostConditionReader {
    private static let limit = 64 << 10

    private let files: any FileReader
    private let clock: SystemClock

    /// A reader.
    public init(files: any FileReader = PosixFileReader(), clock: SystemClock = SystemClock()) {
        self.files = files
        self.clock = clock
    }

    /// What they are like.
    ///
    /// `process` is the running agent's, nil: this one. State is kept in `directory`.
    public func read(process: UInt64?, stateDirectory directory: String?) -> HostCondition {
        let place = process.map { "/proc/\($0)" } ?? "/proc/self"
        var condition = HostCondition()
        condition.process = process == nil ? .own : .agent
        let status = lines("\(place)/status")
        condition.user = Self.field("Uid", status)?.split(separator: "\t").first.flatMap { UInt32($0) }
        condition.capabilities = Self.field("CapPrm", status)
            .flatMap { UInt64($0, radix: 16) }.map(Capabilities.init(rawValue:))
        condition.descriptorBound = Self.descriptorBound(lines("\(place)/limits"))
        if let group = group(place) {
            condition.memoryBound = number("\(group)/memory.max")
            condition.memoryUse = number("\(group)/memory.current")
        }
        condition.isClockKept = clock.isSynchronized
        condition.time = clock.wallTime
        guard let directory else { return condition }
        do throws(SondeError) {
            try StateDirectory.requireNotOpenToAll(directory)
        } catch {
            condition.stateRefusal = error
        }
        do throws(FileSystemError) {
            condition.stateSpace = try PosixFileSystem().space(at: Self.existing(directory))
        } catch {
            condition.stateFailure = String(cString: strerror(error.code))
        }
        // Where another user runs the agent, the agent says itself what it cannot write.
        if process == nil || condition.user == geteuid() {
            let isThere = access(directory, F_OK) == 0
            if faccessat(AT_FDCWD, isThere ? directory : Self.parent(directory), W_OK | X_OK, AT_EACCESS) != 0 {
                condition.stateFailure = String(cString: strerror(errno))
            }
        }
        return condition
    }

    private func lines(_ path: String) -> [String] {
        ((try? files.read(path, limit: Self.limit).text) ?? "").split(separator: "\n").map(String.init)
    }

    private func number(_ path: String) -> UInt64? {
        lines(path).first.flatMap { UInt64($0) }
    }

    /// What stands behind `Name:` and a tab, proc_pid_status(5).
    private static func field(_ name: String, _ lines: [String]) -> String? {
        lines.first { $0.hasPrefix("\(name):\t") }.map { String($0.dropFirst(name.count + 2)) }
    }

    /// `Max open files   1024   524288   files`, proc_pid_limits(5): the first number is in force.
    private static func descriptorBound(_ lines: [String]) -> UInt64? {
        let name = "Max open files"
        guard let line = lines.first(where: { $0.hasPrefix(name) }) else { return nil }
        return line.dropFirst(name.count).split(separator: " ").first.flatMap { UInt64($0) }
    }

    /// The directory of its group of cgroup v2, cgroups(7): the line `0::/system.slice/sonde.service`.
    private func group(_ place: String) -> String? {
        lines("\(place)/cgroup").first { $0.hasPrefix("0::/") }.map { "/sys/fs/cgroup\($0.dropFirst(3))" }
    }

    /// The nearest directory above that is there.
    private static func existing(_ path: String) -> String {
        var path = path
        while path != "/", access(path, F_OK) != 0 { path = parent(path) }
        return path
    }

    private static func parent(_ path: String) -> String {
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        return end == path.startIndex ? "/" : String(path[..<end])
    }
}
