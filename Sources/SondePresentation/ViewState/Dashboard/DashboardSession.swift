public import SondeDomain
public import SondeEngine

/// What is done outside of a dashboard.
public protocol DashboardPort: AnyObject {
    /// Sends a request to the agent; returns what is known of it at once, such as that it has failed.
    func ask(_ request: DashboardRequest) -> [DashboardIntent]
    /// Takes a piece of the file that is exported; throws where it cannot be kept.
    func write(_ piece: DashboardExport.Piece) throws(SondeError)
    /// The dashboard has ended.
    func end()
}

/// A dashboard that goes on: has done what it wants done, and hands in what comes of it.
///
/// Used from one thread.
public final class DashboardSession {
    /// What is shown.
    public private(set) var state: DashboardState
    /// Whether it was ended.
    public private(set) var hasEnded = false
    private let port: any DashboardPort
    private let clock: any Clock

    /// A dashboard that is open.
    public init(_ port: any DashboardPort, clock: any Clock, timing: DashboardTiming = DashboardTiming()) {
        (self.port, self.clock) = (port, clock)
        state = DashboardState(timing: timing)
        apply(.open)
    }

    /// How long nothing is to be done by itself, in milliseconds; -1: for ever.
    public var idleMilliseconds: Int32 {
        guard let wake = state.wake else { return -1 }
        let left = wake.since(clock.monotonicTime).value
        // Rounded up: a wait that ends too soon is one more.
        return left <= 0 ? 0 : Int32(clamping: left / 1_000_000 + 1)
    }

    /// Applies an intent, and those that come of it.
    public func apply(_ intent: DashboardIntent) {
        var intents = [intent]
        while !intents.isEmpty {
            for effect in state.reduce(intents.removeFirst(), at: clock.monotonicTime) {
                intents += carryOut(effect)
            }
        }
    }

    private func carryOut(_ effect: DashboardEffect) -> [DashboardIntent] {
        switch effect {
        case .ask(let request):
            return port.ask(request)
        case .write(let piece):
            do throws(SondeError) {
                try port.write(piece)
                return []
            } catch {
                return [.exportFailed(error)]
            }
        case .end:
            hasEnded = true
            port.end()
            return []
        }
    }
}
