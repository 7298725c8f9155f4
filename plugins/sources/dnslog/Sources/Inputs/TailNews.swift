internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// Reports what happens to the files: in the agent's log, and losses to the ledger.
struct TailNews {
    private let host: PluginHost

    init(_ host: PluginHost) {
        self.host = host
    }

    /// What happened to a file.
    func report(_ event: TailEvent) {
        switch event {
        case .opened(let path, let offset): host.log(.info, "'\(path)' is read from byte \(offset) on")
        case .missing(let path): host.log(.warning, "SND-DLG002: nothing is at '\(path)' yet; it is looked for")
        case .refused(let path, let refusal):
            host.log(.warning, "SND-DLG002: '\(path)' is not read: \(Self.reason(refusal))")
        case .unreadable(let path, let number):
            host.log(.warning, "SND-DLG002: '\(path)' cannot be read: \(Self.text(number))")
        case .truncated(let path): host.log(.info, "'\(path)' was cut short; it is read from its first byte on")
        case .lost(let path, let loss): report(path, loss)
        case .polling(let number):
            host.log(.warning, "SND-DLG006: the kernel does not report changes of files: \(Self.text(number))")
        case .tooManyPaths(let limit):
            host.log(.warning, "SND-DLG002: more than \(limit) files match; the rest is not read")
        case .checkpointUnreadable:
            host.log(.warning, "SND-DLG005: the checkpoint cannot be read; reading begins as after a first start")
        case .ended(let path): host.log(.info, "'\(path)' has ended")
        case .forgotten: break
        }
    }

    /// The failure of a source of which nothing can be read.
    ///
    /// A person has to act, maybe at the resolver, which does not report it: so the log is looked for often.
    static func error(_ event: TailEvent) -> PluginError? {
        let message: String
        switch event {
        case .missing(let path): message = "nothing is at '\(path)'"
        case .refused(let path, let refusal): message = "'\(path)' is not read: \(reason(refusal))"
        default: return nil
        }
        return PluginError(
            "SND-DLG002", .configuration, message,
            hint: "Correct the path or its permissions; it is read as soon as that is possible.", optionPath: "path",
            retryAfter: .seconds(2))
    }

    private func report(_ path: String, _ loss: TailLoss) {
        host.reportLoss(reason: loss.reason.rawValue, from: loss.from, to: loss.to, count: nil)
        let size = loss.bytes.map { "\($0) bytes" } ?? "an unknown number of lines"
        host.log(.warning, "SND-DLG004: \(size) of '\(path)' are lost: \(loss.reason.rawValue)")
    }

    private static func text(_ number: Int32) -> String { String(cString: strerror(number)) }

    private static func reason(_ refusal: TailRefusal) -> String {
        switch refusal {
        case .directory: "it is a directory"
        case .device: "it is a device"
        case .socket: "it is a socket; with the format dnstap, the agent makes one and listens there"
        case .pipe: "it is a pipe, which a wildcard does not match"
        case .link: "the option links does not let this symbolic link be followed"
        case .duplicate: "it is followed under another name already"
        case .system(let number): text(number)
        }
    }
}
