internal import Glibc
internal import SondeDomain
internal import SondePluginKit

extension CaptureFileError {
    /// The code and one sentence.
    var description: (code: String, message: String) {
        switch self {
        case .notCapture: ("SND-PCP020", "it is no capture file")
        case .truncated(let offset): ("SND-PCP021", "the file breaks off in the middle of a packet, at byte \(offset)")
        case .tooLong(let length, let offset):
            ("SND-PCP022", "the file is damaged: \(length) bytes are more than a packet can have, at byte \(offset)")
        case .malformed(let reason, let offset): ("SND-PCP022", "the file is damaged: \(reason), at byte \(offset)")
        case .tooManyInterfaces(let offset):
            ("SND-PCP022", "the file has more than \(BlockSection.interfaceLimit) interfaces, at byte \(offset)")
        case .compression(let reason): ("SND-PCP024", "the gzip data is damaged: \(reason)")
        case .unreadable(let number): ("SND-PCP025", "the file cannot be read: \(String(cString: strerror(number)))")
        case .unsupportedVersion(let version): ("SND-PCP026", "version \(version) of the format is not known")
        case .cancelled: ("", "cancelled")
        }
    }
}

extension PluginError {
    /// The error of a report that is not complete.
    static func incomplete(_ path: String, _ failure: (code: String, message: String)) -> PluginError {
        PluginError(
            failure.code,
            .corruptInput,
            "\(path): \(failure.message)",
            hint: "The report has what could be read."
        )
    }
}
