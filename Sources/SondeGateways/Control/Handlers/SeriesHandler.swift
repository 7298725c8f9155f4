public import SondeDomain
public import SondeEngine
public import SondeFormats

/// `series`: the last point of every series that is open.
public final class SeriesHandler: SlowControlHandler {
    /// `series`.
    public let request = "series"
    /// It changes nothing.
    public let permission = ControlPermission.read
    private let list: ListSeries

    /// A handler that answers with what `list` returns.
    public init(_ list: ListSeries) {
        self.list = list
    }

    /// The page after `after`.
    public func answer(_ request: JSONValue) throws(SondeError) -> ControlAnswer {
        let arguments = ControlArguments(request)
        let query = try SeriesQuery(request)
        let after = try arguments.number("after").map(SeriesID.init(rawValue:))
        return SeriesPage(list(query, after: after, limit: try arguments.limit(SeriesPage.limit))).answer
    }
}
