public import SondeDomain

/// A process that one instance of a plugin has to itself.
///
/// Its functions may be called from any thread, also while a call into the instance is under way: by nature they concern
/// an instance that does not answer.
public protocol InstanceProcess: AnyObject, Sendable {
    /// A descriptor that is readable from the end of the process until ``takeEnd()`` was called.
    ///
    /// It stays the same, and open, for the life of this object, although each start of the instance may make another
    /// process.
    var endDescriptor: Int32 { get }
    /// How the process came to its end, once for each; nil: it has not, or was asked to by `close`.
    func takeEnd() -> SondeError?
    /// Ends the process at once: a call under way fails, and the next start makes another one.
    func kill()
}
