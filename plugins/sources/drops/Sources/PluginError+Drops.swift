internal import Glibc
internal import SondeDomain
internal import SondePluginKit

extension PluginError {
    private static let unit =
        "Let 'systemctl edit sonde' add what the plugin's README has under Requirements and privileges"

    /// An option has a value that cannot be used.
    static func optionUnusable(_ option: String, _ message: String, _ hint: String) -> PluginError {
        PluginError("SND-DRP001", .configuration, message, hint: hint, optionPath: option)
    }

    /// No tracefs there.
    static func tracingAbsent(_ path: String, _ surroundings: Surroundings) -> PluginError {
        PluginError(
            "SND-DRP002",
            .configuration,
            surroundings.hasTracing
                ? "tracefs is not mounted at '\(path)'" : "this kernel (\(surroundings.release)) has no tracefs",
            hint: surroundings.hasTracing
                ? "Mount it: 'mount -t tracefs nodev /sys/kernel/tracing'; the option tracing names another place."
                : "Boot a kernel with CONFIG_TRACING, as those of distributions are; everything else works without it.",
            optionPath: "tracing"
        )
    }

    /// tracefs may not be read.
    static func tracingForbidden(_ path: String, _ reason: String, _ surroundings: Surroundings) -> PluginError {
        PluginError(
            "SND-DRP003",
            .configuration,
            "'\(path)' may not be read (\(reason))\(surroundings.obstacle ?? "")",
            hint: surroundings.remedy
                ?? "Let the agent's group read it: 'mount -o remount,gid=$(id -g sonde),mode=0750 /sys/kernel/tracing'."
        )
    }

    /// The kernel has no such tracepoint, or not what is counted of it.
    static func kernelTooOld(_ tracepoint: Tracepoint, _ lack: String, _ surroundings: Surroundings) -> PluginError {
        PluginError(
            "SND-DRP004",
            .configuration,
            "this kernel (\(surroundings.release)) has no \(lack) at its tracepoint "
                + "\(tracepoint.group):\(tracepoint.name), which Linux has from \(tracepoint.since) on",
            hint: "Boot a newer kernel, or write '\(tracepoint.option): false'; what else is counted is not affected.",
            optionPath: tracepoint.option
        )
    }

    /// The description of a tracepoint is no such description.
    static func formatUnreadable(_ path: String) -> PluginError {
        PluginError(
            "SND-DRP008",
            .corruptInput,
            "'\(path)' does not describe the tracepoint as kernels do",
            hint: "Report it with the text of that file; the option of that tracepoint turns it off."
        )
    }

    /// The agent took no samples.
    static let notTaken =
        "SND-DRP010: the agent took no samples until the deadline; counters catch up at the next interval"

    /// What the kernel refused at a tracepoint.
    static func refused(
        _ refusal: SystemRefusal,
        _ tracepoint: Tracepoint,
        _ surroundings: Surroundings
    ) -> PluginError {
        let place = "\(tracepoint.group):\(tracepoint.name)"
        switch (refusal.call, refusal.number) {
        case (_, ENOMEM), (_, EMFILE), (_, ENFILE), (_, E2BIG), (_, ENOSPC), (_, EAGAIN):
            return PluginError(
                "SND-DRP009", .resource, "counting at \(place) needs more than there is: \(refusal.reason)",
                hint: "It is tried again by itself; look at memory, LimitNOFILE and RLIMIT_MEMLOCK.")
        case (.openEvent, EPERM), (.openEvent, EACCES):
            let paranoia =
                surroundings.paranoia.isEmpty ? "" : "; kernel.perf_event_paranoid is \(surroundings.paranoia)"
            return PluginError(
                "SND-DRP006",
                .configuration,
                "an event of \(place) may not be opened (\(refusal.reason))"
                    + (surroundings.obstacle ?? "\(paranoia), and that takes CAP_PERFMON"),
                hint: surroundings.remedy ?? "\(unit): CAP_PERFMON and the call perf_event_open.")
        case (.createMap, EPERM), (.createMap, EACCES), (.createMap, ENOSYS), (.loadProgram, EPERM):
            return forbidden(refusal, place, surroundings)
        default:
            return PluginError(
                "SND-DRP007",
                .programmer,
                "the kernel (\(surroundings.release)) refuses the program for \(place): \(refusal.reason)"
                    + (refusal.log.isEmpty ? "" : ", \(refusal.log)"),
                hint: "Report it with the kernel's release; '\(tracepoint.option): false' does without.")
        }
    }

    private static func forbidden(
        _ refusal: SystemRefusal,
        _ place: String,
        _ surroundings: Surroundings
    ) -> PluginError {
        let message = "a BPF program for \(place) may not be loaded (\(refusal.reason))"
        guard refusal.number != ENOSYS else {
            return PluginError(
                "SND-DRP005", .configuration, "\(message): this kernel has no bpf(2)",
                hint: "Boot a kernel with CONFIG_BPF_SYSCALL, as those of distributions are.")
        }
        let bpf =
            surroundings.unprivilegedBPF.isEmpty || surroundings.unprivilegedBPF == "0"
            ? "" : "; kernel.unprivileged_bpf_disabled is \(surroundings.unprivilegedBPF)"
        return PluginError(
            "SND-DRP005",
            .configuration,
            message + (surroundings.obstacle ?? "\(bpf), and that takes CAP_BPF and CAP_PERFMON"),
            hint: surroundings.remedy ?? "\(unit): CAP_BPF, CAP_PERFMON, and the calls bpf and perf_event_open.")
    }
}

extension Surroundings {
    /// What keeps every process here from it, whatever its capabilities are.
    fileprivate var obstacle: String? {
        if isInUserNamespace { return ": the agent is in a user namespace, whose capabilities do not count here" }
        return isLockedDown ? ": the kernel is locked down (confidentiality)" : nil
    }

    fileprivate var remedy: String? {
        if isInUserNamespace { return "Run the agent on the host itself, outside of an unprivileged container." }
        return isLockedDown ? "Boot with lockdown=integrity or none; nothing else lets it look into the kernel." : nil
    }
}
