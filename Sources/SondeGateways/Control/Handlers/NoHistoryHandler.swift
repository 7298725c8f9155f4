public import SondeDomain
public import SondeFormats

/// Answers requests for history where none is kept.
public final class NoHistoryHandler: ControlHandler {
    /// The request.
    public let request: String
    /// It changes nothing.
    public let permission = ControlPermission.read

    /// A handler for `request`.
    public init(_ request: String) {
        self.request = request
    }

    /// Throws `SND-HIS011`.
    public func answer(_ request: JSONValue) throws(SondeError) -> ControlAnswer {
        throw HistoryFailure.off
    }
}
