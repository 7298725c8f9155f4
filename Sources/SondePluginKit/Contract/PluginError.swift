public import SondeDomain

/// Why a call into a plugin failed.
///
/// A plugin states the class; only the host decides what happens then.
public struct PluginError: Error, Hashable, Sendable {
    /// Stable and listed in the descriptor.
    public var code: String
    /// What it means.
    public var failureClass: FailureClass
    /// One sentence: what failed, with which value.
    ///
    /// Never a secret; cut at 511 bytes.
    public var message: String
    /// One sentence: what a person can do.
    ///
    /// Cut at 255 bytes.
    public var hint: String
    /// The option at fault, `tls.ca_file`.
    public var optionPath: String
    /// What the other side asked to wait.
    public var retryAfter: Nanoseconds?
    /// Whether nothing failed: the host asked the call to end.
    public private(set) var isCancellation = false
    /// Whether nothing failed: the file to inspect is of another kind.
    public private(set) var isUnsuited = false

    /// An error.
    public init(
        _ code: String,
        _ failureClass: FailureClass,
        _ message: String,
        hint: String = "",
        optionPath: String = "",
        retryAfter: Nanoseconds? = nil
    ) {
        self.code = code
        self.failureClass = failureClass
        self.message = message
        self.hint = hint
        self.optionPath = optionPath
        self.retryAfter = retryAfter
    }

    /// Thrown by a call that ends early because its cancel descriptor became readable.
    public static var cancelled: PluginError {
        var error = PluginError("", .transient, "cancelled")
        error.isCancellation = true
        return error
    }

    /// Thrown by `inspect` for a file of another kind, before anything is read from its descriptor.
    ///
    /// `message` says what the file is not; people see it when no other plugin takes the file.
    public static func unsuited(_ code: String, _ message: String) -> PluginError {
        var error = PluginError(code, .corruptInput, message)
        error.isUnsuited = true
        return error
    }
}
