public import SondeDomain
public import SondeFormats

/// A stream of lines on the control socket: one request subscribes a connection, which is sent lines from then on.
///
/// Used on the loop's thread, which serves nothing else meanwhile: it must not wait.
public protocol ControlFeed: AnyObject {
    /// The text of `request` that subscribes: `watch`.
    var request: String { get }
    /// Fires when there is something to publish; never while there is no subscription.
    var timer: LoopTimer { get }
    /// A subscription with the other members of the request.
    ///
    /// What it throws becomes an error object, and the connection continues taking requests.
    func subscribe(_ arguments: JSONValue) throws(SondeError) -> any ControlSubscription
    /// Encodes what is new once and queues it to every subscription.
    func publish()
}

/// What waits for one connection of a feed: bounded, however slowly the connection is read.
///
/// Used on the loop's thread.
public protocol ControlSubscription: AnyObject {
    /// What the connection does next, once everything before was sent and earlier work has ended.
    func next() -> ControlPush
    /// The connection is closed: nothing more is queued.
    func end()
}

/// What a connection that has subscribed does next.
public enum ControlPush {
    /// Sends whole lines.
    case lines([UInt8])
    /// Makes lines on a separate thread, because that takes longer than the loop may wait, and sends them.
    case work(@Sendable () -> [UInt8])
    /// Waits.
    case nothing
}
