import SondePluginKit

extension TransactionTable {
    /// What a query is to its transaction.
    enum QueryOutcome {
        case first
        /// The same query again within the time, before its answer.
        case repeated
    }

    /// What a response is to its transaction.
    enum ResponseOutcome: Equatable {
        /// The first answer; the time is nil when the clock ran backwards in between.
        case answered(nanoseconds: UInt64?)
        /// Another answer to what was answered before.
        case repeated
        /// The first answer to a query that counts as unanswered already; the time as with ``answered(nanoseconds:)``.
        case late(nanoseconds: UInt64?)
        /// No query for it was seen.
        case unsolicited
    }

    /// Sees a query; `key` is the hash of its tuple and id.
    mutating func query(key: UInt64, question: UInt64, lane: DNSLane, now: Int64) -> QueryOutcome {
        expire(now: now)
        let search = search(key: key) { $0.question == question }
        switch search {
        case .slot(let slot):
            // Stub resolvers use an id and a port again, for the same question, once they have their answer.
            let isWaiting = entries[Int(slot)].state == .waiting
            guard !isWaiting || age(of: slot, now: now) > limits.timeout else { return .repeated }
            // Where the clock was set back, others wait before it that are not over.
            if isWaiting { fail(slot) }
            entries[Int(slot)].start = now
            entries[Int(slot)].lane = lane
            move(slot, to: .waiting)
        case .nothing(let gap):
            insert(Entry(key: key, question: question, start: now, lane: lane), at: gap)
        }
        return .first
    }

    /// Sees a response; `key` is the hash of the tuple and id of the query that it answers.
    ///
    /// A response without question answers any query of its key, and a query without question any response.
    mutating func response(key: UInt64, question: UInt64, now: Int64) -> ResponseOutcome {
        expire(now: now)
        guard let slot = answeredSlot(key: key, question: question) else { return .unsolicited }
        switch entries[Int(slot)].state {
        case .waiting:
            move(slot, from: .waiting, to: .answered)
            return .answered(nanoseconds: elapsed(slot, now))
        case .answered, .late:
            return .repeated
        case .failed:
            move(slot, to: .late)
            return .late(nanoseconds: elapsed(slot, now))
        }
    }

    /// How long ago a transaction began; nil for one of the future.
    @inline(__always)
    private func elapsed(_ slot: UInt32, _ now: Int64) -> UInt64? {
        let (elapsed, overflow) = now.subtractingReportingOverflow(entries[Int(slot)].start)
        return overflow ? nil : UInt64(exactly: elapsed)
    }

    @inline(__always)
    private func answeredSlot(key: UInt64, question: UInt64) -> UInt32? {
        if question != 0 {
            if let slot = slot(key: key, where: { $0.question == question }) { return slot }
            return slot(key: key) { $0.question == 0 }
        }
        return slot(key: key) { $0.state == .waiting } ?? slot(key: key) { _ in true }
    }
}
