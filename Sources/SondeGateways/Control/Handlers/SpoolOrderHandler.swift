public import SondeDomain
internal import SondeEngine
public import SondeFormats

/// `spool.order`: the state of a replay or a purge.
public final class SpoolOrderHandler: ControlHandler {
    /// `spool.order`.
    public let request = "spool.order"
    /// It changes nothing.
    public let permission = ControlPermission.read
    private let access: SpoolAccess

    /// A handler for a spool.
    public init(_ access: SpoolAccess) {
        self.access = access
    }

    /// The order `id` of `sink`.
    public func answer(_ arguments: JSONValue) throws(SondeError) -> ControlAnswer {
        let arguments = ControlArguments(arguments)
        let sink = try arguments.requiredText("sink")
        guard let id = try arguments.number("id") else { throw ControlArguments.wrong("'id' is missing") }
        guard let report = try access.orders(for: sink).report(of: id) else {
            throw ControlArguments.wrong("'\(sink)' has no order \(id), or it was long ago")
        }
        return report.answer(of: sink)
    }
}
