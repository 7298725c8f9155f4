internal import SondeDomain
internal import SondeEngine

/// A random sequence of appends, cuts and acknowledgements against what must come out of it.
struct SpoolAccounts {
    private struct Reader {
        var read: [UInt64] = []
        var lost: UInt64 = 0
    }

    let contract: SpoolStoreContract
    let seed: UInt64

    func check() throws(SpoolStoreContract.Violation) {
        var random = SeededGenerator(seed: seed)
        let policy: AgentSettings.OverflowPolicy = seed.isMultiple(of: 2) ? .dropOldest : .dropNewest
        let spool = contract.make(Int64.random(in: 2_048...16_384, using: &random), policy)
        var readers = ["a": Reader(), "b": Reader()]
        for sink in readers.keys { spool.addReader(sink, .durable, wants: .metrics) }
        var taken: [UInt64] = []
        var next: UInt64 = 1
        for _ in 0..<400 {
            let sink = Bool.random(using: &random) ? "a" : "b"
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let numbers = next...(next + UInt64.random(in: 0..<40, using: &random))
                next = numbers.upperBound + 1
                guard let losses = spool.append(numbers, at: contract.now) else { continue }
                taken += numbers
                for loss in losses { readers[loss.sink]?.lost += loss.count }
            case 5..<7: _ = spool.cut(for: sink, maxCount: Int.random(in: 1...60, using: &random), maxBytes: 2_048)
            case 7: _ = spool.shorten(for: sink, to: Int.random(in: 1...20, using: &random))
            default: readers[sink]?.read += acknowledge(spool, sink, &random)
            }
            for (sink, reader) in readers { try balance(reader, taken, spool.backlog(of: sink).count, sink) }
        }
        for (sink, reader) in readers {
            var reader = reader
            reader.read += spool.drain(sink)
            try balance(reader, taken, 0, sink)
            try contract.require(reader.read == reader.read.sorted(), "seed \(seed): \(sink) is out of order")
            try contract.require(Set(reader.read).isSubset(of: taken), "seed \(seed): \(sink) read what was not there")
            try contract.require(Set(reader.read).count == reader.read.count, "seed \(seed): \(sink) read twice")
        }
    }

    private func acknowledge(
        _ spool: any SpoolStore,
        _ sink: String,
        _ random: inout SeededGenerator
    ) -> [UInt64] {
        guard let stretch = spool.cut(for: sink, maxCount: 30, maxBytes: .max) else { return [] }
        defer { spool.acknowledge(stretch, for: sink) }
        return spool.numbers(in: stretch, for: sink)
    }

    private func balance(
        _ reader: Reader,
        _ taken: [UInt64],
        _ waiting: Int,
        _ sink: String
    ) throws(SpoolStoreContract.Violation) {
        let accounted = reader.read.count + Int(clamping: reader.lost) + waiting
        try contract.require(
            accounted == taken.count,
            "seed \(seed), \(sink): \(taken.count) taken, \(reader.read.count) read, \(reader.lost) lost, \(waiting) wait"
        )
    }
}
