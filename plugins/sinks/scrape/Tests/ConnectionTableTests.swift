import SondeDomain
import Testing

@testable import ScrapePlugin

@Suite struct ConnectionTableTests {
    private func second(_ number: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: number * 1_000_000_000) }

    @Test func aClientThatDoesNotAskIsClosedAndOneThatWasServedMayWait() {
        var table = ConnectionTable(bound: 4)
        for socket in [3, 4, 5] as [Int32] { #expect(table.open(socket, at: second(0)) == nil) }
        table.enter(.answering, 4, at: second(1))
        table.enter(.answering, 5, at: second(1))
        table.enter(.idle, 5, at: second(2))
        #expect(table.late(at: second(10)) == [])
        #expect(table.late(at: second(11)) == [3])
        #expect(table.late(at: second(31)) == [])
        #expect(table.late(at: second(32)) == [4])
        #expect(table.late(at: second(152)) == [])
        #expect(table.late(at: second(153)) == [5])
        #expect(table.count == 0)
    }

    @Test func whoGotNoPageIsGivenUpFirstHoweverOftenItWasAnswered() {
        var table = ConnectionTable(bound: 2)
        _ = table.open(3, at: second(0))
        table.enter(.answering, 3, at: second(1))
        table.complete(3, at: second(1))
        _ = table.open(4, at: second(2))
        // A refusal: no page.
        table.complete(4, at: second(3))
        #expect(table.open(5, at: second(4)) == 4)
        #expect(table.late(at: second(15)) == [5])
        #expect(table.count == 1)
    }

    @Test func whereThereAreTooManyTheOneThatHasNotAskedLongestGoesFirst() {
        var table = ConnectionTable(bound: 3)
        for socket in [3, 4, 5] as [Int32] { _ = table.open(socket, at: second(Int64(socket))) }
        table.enter(.answering, 3, at: second(6))
        table.enter(.idle, 3, at: second(6))
        #expect(table.open(6, at: second(7)) == 4)
        // It was given up: what still happens on it changes nothing.
        table.enter(.answering, 4, at: second(8))
        table.enter(.answering, 5, at: second(8))
        table.enter(.answering, 6, at: second(8))
        #expect(table.open(7, at: second(9)) == 3)
        table.enter(.answering, 7, at: second(9))
        #expect(table.open(8, at: second(10)) == 5 || table.count == 3)
        #expect(table.count == 3)
        table.close(8)
        #expect(table.count == 2)
    }
}
