internal import SondeDomain
internal import SondeEngine

extension SpoolStoreContract {
    private static let smallBytes: Int64 = 16 << 10

    /// Appends frames of ten until something is dropped or refused; returns the last number that was taken.
    private func fill(_ spool: any SpoolStore, from first: UInt64 = 1) throws(Violation) -> (
        taken: UInt64, losses: [OverflowLoss]
    ) {
        var next = first
        while next < 1_000_000 {
            guard let losses = spool.append(next...(next + 9), at: now) else { return (next - 1, []) }
            next += 10
            if !losses.isEmpty { return (next - 1, losses) }
        }
        throw Violation("the log has no bound")
    }

    func countsDroppedPoints() throws(Violation) {
        let spool = make(Self.smallBytes, .dropOldest)
        spool.addReader("ahead", .durable, wants: .metrics)
        spool.addReader("behind", .durable, wants: .metrics)
        spool.append(1...10, at: now)
        if let stretch = spool.cut(for: "ahead", maxCount: 4, maxBytes: .max) {
            spool.acknowledge(stretch, for: "ahead")
        }
        let (taken, losses) = try fill(spool, from: 11)
        try require(losses.map(\.sink) == ["ahead", "behind"], "losses of \(losses.map(\.sink))")
        guard let ahead = losses.first, let behind = losses.last else { return }
        try require(behind.count == ahead.count + 4, "\(behind.count) and \(ahead.count) were lost")
        try require(ahead.from == Timestamp(seconds: 5), "the loss begins with \(ahead.from)")
        try require(behind.to == Timestamp(seconds: Int64(behind.count)), "the loss ends with \(behind.to)")
        try require(spool.drain("behind") == Array((behind.count + 1)...taken), "behind reads something else")
        try require(spool.drain("ahead") == Array((behind.count + 1)...taken), "ahead reads something else")
    }

    func refusesWhenFull() throws(Violation) {
        let spool = make(Self.smallBytes, .dropNewest)
        spool.addReader("a", .durable, wants: .metrics)
        let (taken, losses) = try fill(spool)
        try require(losses.isEmpty, "the oldest was dropped")
        try require(spool.append((taken + 1)...(taken + 10), at: now) == nil, "a full log took more")
        try require(spool.drain("a") == Array(1...taken), "something is missing")
        try require(spool.append((taken + 1)...(taken + 10), at: now) != nil, "a log that was read refuses")
    }

    func keepsTheCurrentStretch() throws(Violation) {
        let spool = make(Self.smallBytes, .dropOldest)
        spool.addReader("a", .durable, wants: .metrics)
        spool.append(1...10, at: now)
        guard let stretch = spool.cut(for: "a", maxCount: 10, maxBytes: .max) else { throw Violation("nothing waits") }
        let (taken, losses) = try fill(spool, from: 11)
        let kept = spool.numbers(in: stretch, for: "a")
        try require(kept == Array(1...10), "the stretch under way holds \(kept)")
        let lost = losses.reduce(0) { $0 + $1.count }
        let rest = spool.drain("a")
        // Which of the others were dropped is up to the log: it may drop them in groups.
        try require(rest.prefix(10) == Array(1...10)[...] && rest.last == taken, "read \(rest)")
        try require(UInt64(rest.count) + lost == taken, "\(lost) lost, \(rest.count) of \(taken) read")
        try require(rest == rest.sorted() && Set(rest).count == rest.count, "out of order: \(rest)")
    }

    func isNotHeldByLiveSinks() throws(Violation) {
        for policy in AgentSettings.OverflowPolicy.allCases {
            let spool = make(Self.smallBytes, policy)
            spool.addReader("stuck", .live, wants: .metrics)
            for first in stride(from: 1 as UInt64, to: 5_000, by: 10) {
                let losses = spool.append(first...(first + 9), at: now)
                try require(losses == [], "\(policy): \(String(describing: losses))")
            }
            let read = spool.drain("stuck")
            try require(read.last == 5_000, "\(policy): the newest are missing")
            try require(read.count < 5_000, "\(policy): the log has no bound")
        }
    }

    func forgetsRemovedReaders() throws(Violation) {
        let spool = make(Self.smallBytes, .dropNewest)
        spool.addReader("gone", .durable, wants: .metrics)
        spool.addReader("a", .durable, wants: .metrics)
        let (taken, _) = try fill(spool)
        _ = spool.drain("a")
        try require(
            spool.append((taken + 1)...(taken + 10), at: now) == nil,
            "the sink that reads nothing does not hold the log")
        spool.removeReader("gone")
        try require(spool.append((taken + 1)...(taken + 10), at: now) == [], "it still holds the log")
        try require(spool.cut(for: "gone", maxCount: 1, maxBytes: .max) == nil, "it can still be cut for")
    }
}
