internal import CLinux
internal import Glibc
internal import SondeDomain
internal import SondeEngine

// How a child ends and what it does wrong, as failures.
extension SondeError {
    /// The process of an instance has ended; nil: its supervisor said nothing.
    static func childEnded(_ end: sonde_child_end?, isKilled: Bool, _ limits: ProcessLimits, component: String)
        -> SondeError
    {
        guard let end else {
            return ended(
                "and its supervisor were killed", .resource, "look for the kernel's memory killer in its log",
                component)
        }
        if end.exec_errno != 0 {
            let reason = String(cString: strerror(end.exec_errno))
            return ended(
                "cannot be executed: \(reason)", .configuration, "name a program that this user may execute", component)
        }
        if end.exceeded == SONDE_EXCEEDED_MEMORY.rawValue, let memory = limits.memory {
            return ended(
                "was killed because it had more than \(SizeText.text(of: memory)) of memory", .programmer,
                "raise limits.memory of the instance, or report it to the plugin's author", component)
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
