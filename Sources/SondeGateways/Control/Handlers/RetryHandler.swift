public import SondeDomain
public import SondeEngine
public import SondeFormats

/// `retry`: makes a source or sink that waits after a failure try again at once.
public final class RetryHandler: ControlHandler {
    /// `retry`.
    public let request = "retry"
    /// It changes what the agent does.
    public let permission = ControlPermission.change
    private let retry: RetryNow

    /// A handler for the instances of `retry`.
    public init(_ retry: RetryNow) {
        self.retry = retry
    }

    /// The instance that tries again.
    public func answer(_ request: JSONValue) throws(SondeError) -> ControlAnswer {
        let id = try ControlArguments(request).requiredText("plugin")
        guard retry(id) else {
            let known = retry.ids.joined(separator: ", ")
            throw ControlArguments.wrong("there is no source or sink '\(id.prefix(64))'; there are: \(known)")
        }
        return ControlAnswer("retry") { json in
            json.object { $0.member("plugin", id) }
        }
    }
}
