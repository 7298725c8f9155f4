public import SondeDomain
internal import SondeEngine

extension HistorySimulation {
    /// A stretch of time during which the wall clock is wrong by as much.
    public struct ClockStretch: Hashable, Sendable {
        /// What the clock shows too much; negative: too little.
        public var offset: Nanoseconds
        /// How long it does so.
        public var length: Nanoseconds
        /// Whether an agent is restarted at its beginning.
        public var isRestart: Bool

        /// A stretch of `length` seconds.
        public init(offset: Int64, for length: Int64, isRestart: Bool = false) {
            self.offset = .seconds(offset)
            self.length = .seconds(length)
            self.isRestart = isRestart
        }
    }

    /// Lives through stretches between which the wall clock is set: a reading every `pause` seconds, a commit each minute.
    public func run(_ stretches: [ClockStretch], pause: Int64) {
        var offset = Nanoseconds.zero
        var isFirst = true
        var next = record.commit()
        for stretch in stretches {
            clock.stepWall(by: Nanoseconds(stretch.offset.value &- offset.value))
            offset = stretch.offset
            if stretch.isRestart {
                restart()
                isFirst = true
                next = record.commit()
            }
            for _ in 0..<(stretch.length.value / Nanoseconds.seconds(pause).value) {
                read(after: .seconds(pause), isFirst: isFirst)
                isFirst = false
                if clock.monotonicTime >= next { next = record.commit() }
            }
        }
    }
}
