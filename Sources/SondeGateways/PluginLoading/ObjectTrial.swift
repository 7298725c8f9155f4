internal import CLinux
internal import Glibc
internal import SondeDomain

/// Whether an object is tried in a child process before it is linked here.
///
/// Headers can be sound and the rest of a file damaged: linking it then crashes, which only another process survives.
public enum ObjectTrial: Hashable, Sendable {
    /// It is linked here at once.
    case none
    /// A child process links it first and has it describe itself: a forked one, and the program itself run again as
    /// soon as there are threads, since nothing is known of the locks that they hold.
    case childProcess

    /// The command with which the program is executed again, before the path and the entry function's name.
    public static let word = "plugin-try"

    /// Links an object and has it describe itself, then ends the process: what `plugin-try` does.
    public static func linkAndEnd(_ path: String, entry: String) -> Never {
        SwiftRuntimeFiles.link()
        sonde_link_and_end(path, entry)
    }

    /// Throws ``SondeDomain/ErrorCode/pluginObjectCrashes`` when the child was killed by a signal.
    func check(_ path: String, entry: String) throws(SondeError) {
        let result: Int32
        switch self {
        case .none: return
        case .childProcess where Self.isAlone: result = sonde_try_object(path, entry)
        case .childProcess: result = sonde_try_object_apart("/proc/self/exe", Self.word, path, entry)
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

    /// Whether this thread is the process's only one: the directory of threads has a link for each besides its own two.
    static var isAlone: Bool {
        var status = stat()
        return stat("/proc/self/task", &status) == 0 && status.st_nlink == 3
    }
}
