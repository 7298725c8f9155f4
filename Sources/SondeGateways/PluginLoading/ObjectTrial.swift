internal import CLinux
internal import Glibc
internal import SondeDomain

/// Whether an object is tried in a child process before it is linked here.
///
/// Headers can be sound and the rest of a file damaged: linking it then crashes, and only another process survives that.
public enum ObjectTrial: Hashable, Sendable {
    /// It is linked here at once.
    case none
    /// A forked child links it first and has it describe itself. For a process that has one thread so far.
    case childProcess
    /// The program itself is executed anew to link it. For a process with threads.
    case otherProgram

    /// The word with which ``otherProgram`` executes the program, before the path and the entry function's name.
    public static let word = "plugin-try"

    /// Links an object and has it describe itself, then ends the process: what `plugin-try` does.
    public static func linkAndEnd(_ path: String, entry: String) -> Never {
        sonde_link_and_end(path, entry)
    }

    /// The trial for the time when other threads run.
    var beyondStart: ObjectTrial { self == .none ? .none : .otherProgram }

    /// Throws ``SondeDomain/ErrorCode/pluginObjectCrashes`` when the child was killed by a signal.
    func check(_ path: String, entry: String) throws(SondeError) {
        let result: Int32
        switch self {
        case .none: return
        case .childProcess: result = sonde_try_object(path, entry)
        case .otherProgram: result = sonde_try_object_apart("/proc/self/exe", Self.word, path, entry)
        }
        guard result > 0 else { return }
        let (what, name) =
            switch result {
            case SIGALRM: ("hangs", "ten seconds")
            case Int32(SONDE_TRIAL_ENDED): ("ends the process", "exit")
            default: ("crashes", String(cString: strsignal(result)))
            }
        throw SondeError(
            .pluginObjectCrashes,
            stage: .loading,
            class: .configuration,
            message: "plugin \(path) \(what) when it is linked and describes itself (\(name))",
            recovery: [.advise("install the plugin again; if that changes nothing, report it to its author")]
        )
    }
}
