import SondeDomain
import Testing

@testable import SondeGateways

@Suite struct DeadlineQueueTests {
    private var queue = DeadlineQueue<String>()

    private func instant(_ nanoseconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: nanoseconds) }

    /// What is reached at an instant.
    private mutating func reached(at nanoseconds: Int64) -> [String] {
        queue.advance(to: instant(nanoseconds))
        var keys: [String] = []
        while let key = queue.takeReached() { keys.append(key) }
        return keys
    }

    @Test mutating func deadlinesAreReachedInTheirOrder() {
        for (key, at) in [("c", 30), ("a", 10), ("d", 40), ("b", 20)] { queue.set(key, to: instant(Int64(at))) }
        #expect(queue.next == instant(10))
        #expect(reached(at: 30) == ["a", "b", "c"])
        #expect(queue.next == instant(40))
        #expect(reached(at: 39).isEmpty)
        #expect(reached(at: 40) == ["d"])
        #expect(queue.next == .distantFuture)
    }

    @Test mutating func equalDeadlinesAreReachedInTheOrderInWhichTheyWereSet() {
        for key in ["b", "a", "c"] { queue.set(key, to: instant(10)) }
        queue.set("b", to: instant(10))
        #expect(reached(at: 10) == ["a", "c", "b"])
    }

    @Test mutating func aKeyHasOneDeadline() {
        queue.set("a", to: instant(10))
        queue.set("a", to: instant(30))
        #expect(reached(at: 20).isEmpty)
        queue.set("a", to: instant(25))
        #expect(reached(at: 30) == ["a"])
        #expect(reached(at: 100).isEmpty)
    }

    @Test mutating func theDistantFutureIsNoDeadline() {
        queue.set("a", to: .distantFuture)
        queue.set("b", to: instant(10))
        queue.set("b", to: .distantFuture)
        #expect(queue.next == .distantFuture)
        #expect(reached(at: .max).isEmpty)
    }

    @Test mutating func aDeadlineBeforeTheClockBeganIsReached() {
        for (key, at) in [("zero", 0), ("least", Int64.min), ("before", -1)] { queue.set(key, to: instant(at)) }
        #expect(reached(at: 0) == ["least", "before", "zero"])
    }

    @Test mutating func aDeadlineThatWasReachedCanBeSetAgainOrUnset() {
        for key in ["a", "b", "c"] { queue.set(key, to: instant(10)) }
        queue.advance(to: instant(10))
        #expect(queue.takeReached() == "a")
        queue.set("b", to: .distantFuture)
        queue.set("c", to: instant(1))
        #expect(queue.takeReached() == nil)
        #expect(reached(at: 10) == ["c"])
    }
}
