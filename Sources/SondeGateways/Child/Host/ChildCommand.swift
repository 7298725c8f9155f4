internal import CLinux
internal import Glibc
internal import SondeDomain
internal import SondeEngine

extension ProcessLimits {
    // CAP_SYS_RESOURCE.
    private static let mayRaise: UInt64 = 1 << 24

    /// Throws where the supervisor could not set them.
    func checkSettable() throws(SondeError) {
        var hard = rlimit()
        guard let files, getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &hard) == 0,
            rlim_t(files) > hard.rlim_max, (UserChange.capabilities("CapEff:") ?? 0) & Self.mayRaise == 0
        else { return }
        throw SondeError(
            .limitNotKept, stage: .loading, class: .configuration,
            message: "limits.files is above what the agent itself may have open, \(hard.rlim_max)",
            recovery: [.advise("lower limits.files, or raise LimitNOFILE= of the unit")], optionPath: "limits.files")
    }
}

/// A program that is run under a supervisor.
struct ChildCommand: Sendable {
    /// The supervisor's path.
    var supervisor: String
    /// What the program may use.
    var limits = ProcessLimits()
    /// Where it may have a group that keeps them; nil: the supervisor looks.
    var groups: ControlGroups?
    /// Whose numbers the program gets, `UID:GID,GROUP…`, or `-`, the agent's; nil: it also gets the agent's capabilities.
    var user: String?
    /// The program's path and its arguments.
    var program: [String]
    /// Its whole environment, `NAME=value`.
    var environment: [String] = ChildCommand.inherited

    /// As ``user``: the agent's own numbers, and none of its ambient capabilities.
    static let agentsWithoutCapabilities = "-"

    // Before each entry on its way to the program. The supervisor may have capabilities that the program has not: no LD_PRELOAD
    // or LD_LIBRARY_PATH of the program may choose what it loads.
    private static let unread = "+"

    /// What a child inherits of the agent's environment: where programs are, and how texts are to be read; nothing that could
    /// be a secret.
    static var inherited: [String] {
        ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"].compactMap { (name: String) in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
    }

    /// `group`: what keeps the limits but for those of one process, and of how many there are, which it knows by threads only.
    private func options(_ group: ControlGroup?) -> [String] {
        let watched = group == nil ? limits : ProcessLimits()
        let pairs: [(String, String?)] = [
            ("--group", group?.path),
            ("--memory", watched.memory.map { String($0) }),
            ("--cpu", watched.cpuShare.map { String(Int64(max(1, $0 * 1_000))) }),
            ("--files", limits.files.map { String($0) }),
            ("--processes", limits.processes.map { String($0) }),
            ("--user", user),
        ]
        return pairs.flatMap { name, value in value.map { [name, $0] } ?? [] }
    }

    /// Starts the supervisor with these descriptors as 0 to 4, and the program in a group; -1 with errno.
    func spawn(_ descriptors: [Int32], in group: ControlGroup?) -> pid_t {
        Self.withPointers([supervisor] + options(group) + ["--"] + program) { words in
            Self.withPointers(environment.map { Self.unread + $0 }) { sonde_spawn(supervisor, words, $0, descriptors) }
        }
    }

    private static func withPointers<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeMutableBufferPointer { buffer in
            // There is one element at the least: the end.
            body(UnsafePointer(buffer.baseAddress.unsafelyUnwrapped))
        }
    }
}
