public import SondeDomain

/// A process that runs only one instance of a plugin.
///
/// Its functions may be called from any thread, also while a call into the instance is under way: they are for
/// an instance that does not answer.
public protocol InstanceProcess: AnyObject, Sendable {
    /// A descriptor that is readable from the end of the process until ``takeEnd()`` was called.
    ///
    /// It stays the same, and open, for the life of this object, although each start of the instance may make another
    /// process.
    var endDescriptor: Int32 { get }
    /// How the process ended, once for each; nil: it has not, or it ended because of `close`.
    func takeEnd() -> SondeError?
    /// Ends the process at once: a call under way fails, and the next start makes another one.
    func kill()
}
