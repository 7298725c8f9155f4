/// Pairs queries with responses in the plainest way, without bounds.
struct ExpectedTransactions {
    private struct Transaction {
        let question: String?
        let start: Int64
        var isAnswered = false
    }

    private var open: [String: [Transaction]] = [:]
    private var times: [Int64] = []

    mutating func see(_ message: TsharkRow.Message, _ time: Int64) {
        var list = open[message.place] ?? []
        // The newest of them counts.
        let found = list.lastIndex {
            $0.question == message.question || message.isResponse && ($0.question == nil || message.question == nil)
        }
        if message.isResponse {
            guard let found, !list[found].isAnswered else { return }
            list[found].isAnswered = true
            times.append(time - list[found].start)
        } else {
            if let found, !list[found].isAnswered, time - list[found].start <= 5_000_000_000 { return }
            list.append(Transaction(question: message.question, start: time))
        }
        open[message.place] = list
    }

    /// Adds what became of them.
    func finish(_ counts: inout [String: Double]) {
        counts["dns.unanswered"] = Double(open.values.joined().filter { !$0.isAnswered }.count)
        counts["dns.response_time.count"] = Double(times.count)
        let sorted = times.sorted()
        guard let first = sorted.first, let last = sorted.last else { return }
        let middle = sorted.count / 2
        let median = sorted.count % 2 == 1 ? sorted[middle] * 2 : sorted[middle - 1] + sorted[middle]
        counts["dns.response_time.min"] = Double(first) / 1e9
        counts["dns.response_time.median"] = Double(median) / 2e9
        counts["dns.response_time.max"] = Double(last) / 1e9
    }
}
