public import SondeDomain

/// The remote configuration of a running agent, as it is reported.
public struct RemoteStatus: Hashable, Sendable {
    /// Which one is in force.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// None: only the files of the host count.
        case none
        /// One that has proved itself.
        case good
        /// One on probation.
        case probation
        /// The last good one, or none, since a newer one was taken back.
        case rolledBack = "rolled_back"
        /// None, since what is kept does not fit the files of the host.
        case ignored
    }

    /// How often the server was asked, by result.
    public struct Requests: Hashable, Sendable {
        /// It had nothing new.
        public var unchanged: UInt64 = 0
        /// It had a new one, which was put in force.
        public var new: UInt64 = 0
        /// It had one that was not put in force.
        public var refused: UInt64 = 0
        /// It did not answer with one.
        public var failed: UInt64 = 0

        /// None so far.
        public init() {}
    }

    /// The address.
    public var url: String
    /// Which one is in force.
    public var state: State
    /// The number of the one in force.
    public var serial: UInt64?
    /// The number of the last good one.
    public var goodSerial: UInt64?
    /// The number of the one that was taken back.
    public var failedSerial: UInt64?
    /// How much of the probation is left, of time in which nothing waits.
    public var probationLeft: Nanoseconds?
    /// Sources and sinks that prolong the probation.
    public var waitsFor: [String] = []
    /// When the server last answered with a file that can be used, or that nothing is new.
    public var lastAnswer: MonotonicInstant?
    /// When it is asked next.
    public var nextRequest: MonotonicInstant?
    /// How often it was asked.
    public var requests = Requests()

    /// What a state says.
    init(url: String, _ state: RemoteState, isIgnored: Bool) {
        self.url = url
        self.state =
            isIgnored
            ? .ignored
            : state.probation != nil
                ? .probation
                : state.failed != nil ? .rolledBack : state.good != nil ? .good : .none
        serial = isIgnored ? nil : state.inForce?.serial
        goodSerial = state.good?.serial
        failedSerial = state.failed?.serial
    }
}
