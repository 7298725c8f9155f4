/// What one source reads from outside, while it is recorded or given back.
///
/// Called from the thread that is inside a call of the instance.
public protocol InputTape: AnyObject, Sendable {
    /// What it does.
    var mode: InputTapeMode { get }
    /// Recording: keeps what was read under a key.
    func write(_ key: String, _ bytes: UnsafeRawBufferPointer)
    /// Replaying: the next that was kept under the key in this call or step; recording: the secret of `privacy`.
    func read(_ key: String) -> [UInt8]?
    /// The next step of a stream begins; false: the recording is over.
    func step() -> Bool
}

/// What a tape does.
public enum InputTapeMode: Sendable {
    /// It keeps what is read.
    case recording
    /// It gives back what was kept.
    case replaying
}
