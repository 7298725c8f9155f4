extension Snapshot {
    /// Why packets were dropped, on the whole host.
    public struct Drops: Hashable, Sendable {
        /// A reason and how many packets were dropped for it in the window.
        public struct Reason: Hashable, Sendable {
            /// The kernel's name in lower case.
            public var name: String
            /// Packets in the window.
            public var count: Double

            /// A reason.
            public init(name: String, count: Double) {
                self.name = name
                self.count = count
            }
        }

        /// What another source counts as dropped, and the reason that most of it can have.
        public struct Beside: Hashable, Sendable {
            /// What counts it.
            public var counter: DropCounter
            /// Packets in the window, of the time that both have reported.
            public var count: Double
            /// The most frequent of the reasons that fit; nil: there is none.
            public var reason: Reason?

            /// A counter.
            public init(counter: DropCounter, count: Double, reason: Reason?) {
                self.counter = counter
                self.count = count
                self.reason = reason
            }
        }

        /// The source that it is from.
        public var source: String
        /// How long ago the source last reported.
        public var age: Nanoseconds
        /// How much of the window the counts cover.
        public var covered: Nanoseconds
        /// Packets in the window, for any reason; without those of no network.
        public var packets: Double
        /// The most frequent reasons, at most ten.
        public var reasons: [Reason]
        /// What others count as dropped, where they count any.
        public var beside: [Beside] = []
        /// How much of that the reasons explain, at the most; nil: nothing is counted.
        public var coverage: Coverage?
    }
}
