public import SondeDomain
public import SondeFormats

/// Answers one kind of request on the control socket.
///
/// Called on the loop's thread, which serves nothing else meanwhile: it must not wait.
public protocol ControlHandler: AnyObject {
    /// The text of `request` that it answers: `spool.status`.
    var request: String { get }
    /// The permission that the peer must have.
    var permission: ControlPermission { get }
    /// The answer to a request, whose other members are in `arguments`.
    ///
    /// What it throws becomes an error object.
    func answer(_ arguments: JSONValue) throws(SondeError) -> ControlAnswer
}

/// Answers a kind of request that may take longer than the loop may wait, because it reads files.
///
/// Called on a separate thread; several may be called at once.
public protocol SlowControlHandler: ControlHandler, Sendable {
    /// The server stops: an answer that is waited for has to return now.
    func stop()
}

extension SlowControlHandler {
    /// Most answers wait only for a disk.
    public func stop() {}
}

/// A handler's answer: one member beside `"ok":true`.
public struct ControlAnswer {
    let key: String
    let write: (inout JSONWriter) -> Void

    /// A member of this name; `write` writes exactly one value.
    public init(_ key: String, _ write: @escaping (inout JSONWriter) -> Void) {
        self.key = key
        self.write = write
    }
}
