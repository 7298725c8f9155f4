import SondeDomain
import Testing

@testable import SondeGateways

@Suite struct RunSlotsTests {
    private let clock = SystemClock()

    @Test func noMoreAreGivenThanThereAre() throws {
        let slots = try RunSlots(2)
        let past = clock.monotonicTime
        #expect(slots.take(until: past, cancel: -1) == .taken)
        #expect(slots.take(until: past, cancel: -1) == .taken)
        #expect(slots.take(until: past, cancel: -1) == .late)
        slots.give()
        #expect(slots.take(until: past, cancel: -1) == .taken)
    }

    @Test func waitingForOneCanBeCancelled() throws {
        let slots = try RunSlots(1)
        #expect(slots.take(until: .distantFuture, cancel: -1) == .taken)
        let cancel = try CancelSignal()
        cancel.cancel()
        #expect(slots.take(until: .distantFuture, cancel: cancel.descriptor) == .cancelled)
    }
}
