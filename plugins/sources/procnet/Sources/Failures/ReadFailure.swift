internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// Why a file could not be read.
enum ReadFailure: Error, Hashable {
    /// It is not there (ENOENT, ENOTDIR).
    case absent
    /// The agent may not read it (EACCES, EPERM).
    case forbidden
    /// It is larger than is read.
    case tooLarge
    /// It holds nothing that its table has.
    case unrecognized
    /// The system refused with this `errno`.
    case system(Int32)

    init(errno number: Int32) {
        self =
            switch number {
            case ENOENT, ENOTDIR: .absent
            case EACCES, EPERM: .forbidden
            default: .system(number)
            }
    }
}

extension ReadFailure {
    /// The stable code.
    var code: String {
        switch self {
        case .absent: "SND-PRC001"
        case .forbidden: "SND-PRC002"
        case .tooLarge: "SND-PRC003"
        case .system: "SND-PRC004"
        case .unrecognized: "SND-PRC005"
        }
    }

    var failureClass: FailureClass {
        switch self {
        case .absent, .forbidden: .configuration
        case .tooLarge, .unrecognized: .corruptInput
        case .system: .transient
        }
    }

    /// What failed.
    func message(_ path: String) -> String {
        switch self {
        case .absent: "\(path) does not exist"
        case .forbidden: "\(path) may not be read"
        case .tooLarge: "\(path) is larger than is read"
        case .system(let number): "reading \(path) failed: \(String(cString: strerror(number)))"
        case .unrecognized: "\(path) holds nothing that could be read"
        }
    }

    /// The failure of a whole collection.
    func pluginError(_ path: String) -> PluginError {
        PluginError(code, failureClass, message(path), hint: hint, optionPath: isOfOption ? "proc" : "")
    }

    private var isOfOption: Bool { self == .absent || self == .forbidden }

    private var hint: String {
        switch self {
        case .absent: "Mount /proc, or point the option proc at the directory that has net/dev."
        case .forbidden: "Let the agent's user read it, or run the agent where /proc is not restricted."
        case .tooLarge: "Point the option proc at a real /proc."
        case .system: "Look into the kernel's log if it lasts."
        case .unrecognized: "Point the option proc at a real /proc; report the file if it is one."
        }
    }
}
