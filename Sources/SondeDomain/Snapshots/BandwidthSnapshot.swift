/// Bytes per second by interface and direction.
public struct BandwidthSnapshot: Hashable, Sendable {
    /// One interface.
    public struct Interface: Hashable, Sendable {
        /// The interface's name.
        public var name: String
        /// Bytes per second that came in.
        public var receive: CurrentAveragePeak
        /// Bytes per second that went out.
        public var transmit: CurrentAveragePeak

        /// An interface.
        public init(name: String, receive: CurrentAveragePeak, transmit: CurrentAveragePeak) {
            self.name = name
            self.receive = receive
            self.transmit = transmit
        }
    }

    /// When it was made.
    public var time: Timestamp
    /// The source it was made from.
    public var source: String
    /// The interfaces by name.
    public var interfaces: [Interface]

    /// A snapshot.
    public init(time: Timestamp, source: String, interfaces: [Interface]) {
        self.time = time
        self.source = source
        self.interfaces = interfaces
    }
}
