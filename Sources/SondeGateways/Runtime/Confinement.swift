internal import CLinux
internal import Glibc
public import SondeDomain

/// What a process gives up before it reads what others have written.
public enum Confinement {
    /// Gives up every capability, every file that is not open, and all system calls but those that work on memory, time
    /// and open descriptors; permanently.
    ///
    /// Of a process with one thread; `escape` is what a person can write to go without. Throws `SND-PLG041`: the process must
    /// not go on then.
    public static func enter(escape: String) throws(SondeError) {
        let result = sonde_confine()
        guard result != SONDE_CONFINED else { return }
        let reason = String(cString: strerror(errno))
        let (what, advice) =
            switch result {
            case SONDE_CONFINE_THREADS: ("it has made threads", "report it to the plugin's author")
            case SONDE_CONFINE_PRIVILEGES: ("no_new_privs cannot be set (\(reason))", unit)
            case SONDE_CONFINE_FILES:
                ("Landlock cannot be used (\(reason))", "\(unit), and boot a kernel with lsm=landlock")
            case SONDE_CONFINE_CAPABILITIES: ("it keeps capabilities (\(reason))", unit)
            default: ("system calls cannot be filtered (\(reason))", unit)
            }
        throw SondeError(
            .sandboxRefused, stage: .loading, class: .configuration,
            message: "its process cannot be confined: \(what)",
            recovery: [.advise(advice), .advise("'\(escape)' goes without")])
    }

    /// Whether the process has one thread, as ``enter(escape:)`` needs.
    static var isPossible: Bool { sonde_settle_threads() == 1 }

    /// Throws where a plugin that was just linked has made a thread, so that the process cannot be confined any more.
    public static func check(after plugin: String) throws(SondeError) {
        guard sonde_settle_threads() > 1 else { return }
        throw SondeError(
            .sandboxRefused, stage: .loading, class: .configuration,
            message: "the process cannot be confined: plugin \(plugin) makes a thread when it is linked",
            recovery: [.advise("leave its directory out, or take '--sandbox off'")])
    }

    /// The process does not use CAP_NET_RAW, CAP_PERFMON and CAP_BPF, and the children that need one have it.
    ///
    /// Before any thread is made.
    public static func leaveCapabilitiesToChildren() { sonde_keep_capabilities_for_children() }

    private static let unit =
        "allow the calls capset and landlock_create_ruleset, landlock_restrict_self in the unit's SystemCallFilter="
}
