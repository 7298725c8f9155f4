internal import Glibc
internal import SondeDomain
internal import SondeEngine

/// Whether a supervisor can see what a program of another user uses.
enum ProcessVisibility {
    /// Throws where limits of a program that runs as another user could not be kept, because its processes cannot be looked at.
    static func check(_ limits: ProcessLimits) throws(SondeError) {
        guard limits.memory != nil || limits.cpuShare != nil || limits.processes != nil else { return }
        guard !mayLookAtAll, let mounts = try? PosixFileReader().read("/proc/self/mountinfo", limit: 1 << 20).text,
            isHiding(mounts)
        else { return }
        throw SondeError(
            .limitNotKept, stage: .start, class: .configuration,
            message: "/proc hides the processes of other users from the agent, and so what they use",
            recovery: [
                .advise(
                    "remove 'user' or limits.memory, limits.cpu_share and limits.processes, or set "
                        + "ProtectProc=default in the unit")
            ], optionPath: "limits")
    }

    /// Whether the last mount at `/proc` hides processes.
    static func isHiding(_ mounts: String) -> Bool {
        let options = mounts.split(separator: "\n").last { line in
            // proc_pid_mountinfo(5): the fifth field is the place.
            line.split(separator: " ").dropFirst(4).first == "/proc"
        }
        let words = options?.split(whereSeparator: { $0 == " " || $0 == "," }) ?? []
        return words.contains { word in
            word.hasPrefix("hidepid=") && !["hidepid=0", "hidepid=off"].contains(word)
        }
    }

    /// CAP_SYS_PTRACE.
    private static var mayLookAtAll: Bool { UserChange.capabilities("CapEff:").map { $0 & 1 << 19 != 0 } ?? false }
}
