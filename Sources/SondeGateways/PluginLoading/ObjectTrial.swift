internal import CLinux
internal import Glibc
internal import SondeDomain

/// Whether an object is tried in a child process before it is linked here.
///
/// Headers can be sound and the rest of a file damaged: linking it then crashes, and only another process survives that.
public enum ObjectTrial: Hashable, Sendable {
    /// It is linked here at once.
    case none
    /// A forked child links it first and calls its entry function. For a process that has one thread so far.
    case childProcess

    /// Throws ``SondeDomain/ErrorCode/pluginObjectCrashes`` when the child was killed by a signal.
    func check(_ path: String, entry: String) throws(SondeError) {
        guard self == .childProcess else { return }
        let signal = sonde_try_object(path, entry)
        guard signal > 0 else { return }
        let name = String(cString: strsignal(signal))
        throw SondeError(
            .pluginObjectCrashes,
            stage: .loading,
            class: .configuration,
            message: "plugin \(path) crashes a process that links it (\(name))",
            recovery: [.advise("install the plugin again; if that changes nothing, report it to its author")]
        )
    }
}
