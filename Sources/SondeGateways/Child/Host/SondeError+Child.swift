internal import CLinux
internal import Glibc
internal import SondeDomain
internal import SondeEngine

// How a child ends and what it does wrong, as failures.
extension SondeError {
    /// The supervisor of an instance's process was killed, and its process with it; `orphans`: what the agent has ended.
    static func supervisorKilled(orphans: Int, component: String) -> SondeError {
        let others =
            orphans == 0
            ? "" : "; the agent has ended \(orphans) more of its processes, and those of other sessions may run on"
        return ended(
            "and its supervisor were killed\(others)", .resource, "look for the kernel's memory killer in its log",
            component)
    }

    /// The process of an instance has ended.
    static func childEnded(_ end: sonde_child_end, isKilled: Bool, _ limits: ProcessLimits, component: String)
        -> SondeError
    {
        if end.exec_errno != 0 { return notStarted(end, limits, component) }
        if let (what, key) = exceeded(end.exceeded, limits) {
            return ended(
                "was killed because it \(what)", .programmer,
                "raise \(key) of the instance, or report it to the plugin's author", component)
        }
        let peak = "it had at most \(end.peak_resident_kib) KiB in memory"
        // A program that is refused memory mostly aborts by itself.
        let isNearLimit = limits.memory.map { end.peak_resident_kib >= $0 / 1024 / 10 * 8 } ?? false
        let cause = isNearLimit ? ", so probably limits.memory" : ""
        if isKilled {
            return ended(
                "was killed by the agent because a call hung (\(peak)\(cause))", .programmer,
                "report it to the plugin's author",
                component)
        }
        let status = end.wait_status
        let signal = status & 0x7f
        if signal == 0 {
            return ended(
                "exited with status \((status >> 8) & 0xff) (\(peak)\(cause))", .programmer,
                "look at what it wrote to standard error", component)
        }
        let name = String(cString: strsignal(signal))
        if signal == SIGSYS {
            return ended(
                "was ended by its sandbox, which refused a system call; its number is in the log (\(peak))",
                .programmer,
                "report it to the plugin's author with that number; 'sandbox: off' goes without", component)
        }
        let what = "was ended by signal \(signal), \(name) (\(peak)\(cause))"
        // The kernel's memory killer, or a person: the plugin has not sent it to itself.
        return signal == SIGKILL
            ? ended(what, .resource, "look for the kernel's memory killer in its log", component)
            : ended(what, .programmer, "report it to the plugin's author", component)
    }

    private static func notStarted(_ end: sonde_child_end, _ limits: ProcessLimits, _ component: String) -> SondeError {
        let reason = String(cString: strerror(end.exec_errno))
        switch UInt32(bitPattern: end.step) {
        case SONDE_STEP_LIMITS.rawValue:
            return ended(
                "cannot be limited: \(reason)", .configuration,
                limits.files == nil ? "lower its limits" : "lower limits.files, or raise LimitNOFILE= of the unit",
                component)
        case SONDE_STEP_USER.rawValue:
            return ended(
                "cannot run as another user: \(reason)", .configuration,
                "let the agent change users, as docs/plugins/exec.md says, or remove 'user'", component)
        default:
            return ended(
                "cannot be executed: \(reason)", .configuration, "name a program that this user may execute", component)
        }
    }

    /// What a process was killed for, and the key of the limit; nil: for none.
    private static func exceeded(_ code: UInt32, _ limits: ProcessLimits) -> (what: String, key: String)? {
        switch code {
        case SONDE_EXCEEDED_MEMORY.rawValue:
            ("had more than \(SizeText.text(of: limits.memory ?? 0)) of memory", "limits.memory")
        case SONDE_EXCEEDED_CPU.rawValue:
            ("used more than \(limits.cpuShare ?? 0) processors for five seconds", "limits.cpu_share")
        case SONDE_EXCEEDED_PROCESSES.rawValue:
            ("and what it started were more than \(limits.processes ?? 0) processes", "limits.processes")
        default: nil
        }
    }

    private static func ended(_ what: String, _ failureClass: FailureClass, _ advice: String, _ component: String)
        -> SondeError
    {
        SondeError(
            .childEnded, stage: .collect, class: failureClass, message: "its process \(what)",
            recovery: [.advise(advice)], component: component)
    }

    /// A child that breaks the protocol.
    init(_ flaw: ChannelFlaw, component: String) {
        let what: String =
            switch flaw {
            case .ended: "closed its channel"
            case .malformed(let text): text
            case .failed(let code): "cannot be reached: \(String(cString: strerror(code)))"
            case .silent(let time): "has not answered in \(time.seconds) s"
            }
        self.init(
            .childBrokeProtocol, stage: .collect, class: .programmer, message: "its process \(what)",
            recovery: [.advise("report it to the plugin's author")], component: component)
    }
}
