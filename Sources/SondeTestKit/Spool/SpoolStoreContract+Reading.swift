internal import SondeDomain
internal import SondeEngine

extension SpoolStoreContract {
    func keepsOrder() throws(Violation) {
        let spool = roomy()
        spool.addReader("a", .durable, wants: .metrics)
        spool.append(1...10, at: now)
        spool.append(11...12, at: now)
        spool.append(13...40, at: now)
        let read = spool.drain("a")
        try require(read == Array(1...40), "read \(read)")
        try require(spool.backlog(of: "a").count == 0, "something waits")
    }

    func leavesNoGap() throws(Violation) {
        let spool = roomy()
        spool.addReader("a", .durable, wants: .metrics)
        guard case (.taken(let appended), _) = spool.append([.numbered(1), .numbered(2)], documents: [], at: now) else {
            throw Violation("an empty log refused")
        }
        spool.append(3...30, at: now)
        var next = appended.first
        while let stretch = spool.cut(for: "a", maxCount: 4, maxBytes: .max) {
            try require(stretch.first == next, "\(stretch) does not begin at \(next)")
            spool.acknowledge(stretch, for: "a")
            next = stretch.last + 1
        }
        try require(next == appended.first + 30, "ended at \(next)")
    }

    func offersTheSameStretch() throws(Violation) {
        let spool = roomy()
        spool.addReader("a", .durable, wants: .metrics)
        spool.append(1...3, at: now)
        let first = spool.cut(for: "a", maxCount: 10, maxBytes: .max)
        spool.append(4...9, at: now)
        let second = spool.cut(for: "a", maxCount: 100, maxBytes: .max)
        try require(
            first != nil && first == second, "\(String(describing: first)) became \(String(describing: second))")
        guard let first else { return }
        let numbers = spool.numbers(in: first, for: "a")
        try require(numbers == [1, 2, 3], "it holds \(numbers)")
        try require(spool.backlog(of: "a").count == 9, "the stretch under way is not in the backlog")
    }

    func keepsSinksApart() throws(Violation) {
        let spool = roomy()
        spool.addReader("a", .durable, wants: .metrics)
        spool.addReader("b", .durable, wants: .metrics)
        spool.append(1...5, at: now)
        try require(spool.drain("a") == Array(1...5), "a misses points")
        spool.append(6...7, at: now)
        try require(spool.backlog(of: "b").count == 7, "b lost what a has read")
        try require(spool.drain("b") == Array(1...7), "b misses points")
        try require(spool.drain("a") == [6, 7], "a reads twice")
    }

    func respectsLimits() throws(Violation) {
        let spool = roomy()
        spool.addReader("a", .durable, wants: .metrics)
        try require(spool.cut(for: "a", maxCount: 5, maxBytes: .max) == nil, "an empty log was cut")
        spool.append(1...9, at: now)
        try cutOne(spool, maxCount: 4, maxBytes: .max, expected: 4)
        try cutOne(spool, maxCount: .max, maxBytes: 1, expected: 1)
        try cutOne(spool, maxCount: 0, maxBytes: -5, expected: 1)
        try cutOne(spool, maxCount: .max, maxBytes: .max, expected: 3)
    }

    private func cutOne(_ spool: any SpoolStore, maxCount: Int, maxBytes: Int64, expected: Int) throws(Violation) {
        let stretch = spool.cut(for: "a", maxCount: maxCount, maxBytes: maxBytes)
        try require(stretch?.count == expected, "\(maxCount) and \(maxBytes) gave \(String(describing: stretch))")
        if let stretch { spool.acknowledge(stretch, for: "a") }
    }

    func shortens() throws(Violation) {
        let spool = roomy()
        spool.addReader("a", .durable, wants: .metrics)
        try require(spool.shorten(for: "a", to: 3) == nil, "nothing was under way")
        spool.append(1...8, at: now)
        let whole = spool.cut(for: "a", maxCount: 8, maxBytes: .max)
        let half = spool.shorten(for: "a", to: 4)
        try require(half?.first == whole?.first && half?.count == 4, "became \(String(describing: half))")
        try require(spool.shorten(for: "a", to: 6) == half, "a stretch grew")
        try require(spool.shorten(for: "a", to: 0)?.count == 1, "a stretch became empty")
        try require(spool.drain("a") == Array(1...8), "points were lost")
    }

    func filtersContent() throws(Violation) {
        let spool = roomy()
        let document = Document(schema: "test", time: Timestamp(seconds: 1), json: Array("{}".utf8))
        spool.addReader("points", .durable, wants: .metrics)
        spool.addReader("documents", .durable, wants: .snapshots)
        _ = spool.append([.numbered(1), .numbered(2)], documents: [document], at: now)
        guard
            let points = spool.cut(for: "points", maxCount: 10, maxBytes: .max),
            let documents = spool.cut(for: "documents", maxCount: 10, maxBytes: .max)
        else { throw Violation("nothing waits") }
        let first = spool.read(points, for: "points")
        try require(first.points.count == 2 && first.documents.isEmpty, "points: \(first)")
        let second = spool.read(documents, for: "documents")
        try require(second.points.isEmpty && second.documents == [document], "documents: \(second)")
    }

    func numbersOnlyWhatIsWanted() throws(Violation) {
        let spool = roomy()
        let document = Document(schema: "test", time: Timestamp(seconds: 1), json: Array("{}".utf8))
        spool.addReader("points", .durable, wants: .metrics)
        let (result, _) = spool.append([], documents: [document], at: now)
        guard case .taken(let stretch) = result else { throw Violation("refused") }
        try require(stretch.count == 0, "a document that nobody wants took \(stretch)")
        try require(spool.backlog(of: "points").count == 0, "it waits")
    }

    func ignoresForeignAcknowledgements() throws(Violation) {
        let spool = roomy()
        spool.addReader("a", .durable, wants: .metrics)
        spool.append(1...6, at: now)
        spool.acknowledge(Stretch(first: 1, last: 3), for: "a")
        try require(spool.backlog(of: "a").count == 6, "a stretch that was not cut was acknowledged")
        guard let stretch = spool.cut(for: "a", maxCount: 2, maxBytes: .max) else { throw Violation("nothing waits") }
        spool.acknowledge(stretch, for: "a")
        spool.acknowledge(stretch, for: "a")
        try require(spool.drain("a") == [3, 4, 5, 6], "a second acknowledgement moved the cursor")
    }

    func resumesReadersThatAreAddedAgain() throws(Violation) {
        for kind in [ReaderKind.durable, .live] {
            let spool = roomy()
            spool.addReader("a", kind, wants: .metrics)
            spool.append(1...9, at: now)
            guard let first = spool.cut(for: "a", maxCount: 3, maxBytes: .max) else { throw Violation("nothing waits") }
            spool.acknowledge(first, for: "a")
            let begun = spool.cut(for: "a", maxCount: 2, maxBytes: .max)
            spool.append(10...12, at: now)
            spool.addReader("a", kind, wants: .metrics)
            try require(spool.backlog(of: "a").count == 9, "\(kind): \(spool.backlog(of: "a").count) wait")
            let again = spool.cut(for: "a", maxCount: 9, maxBytes: .max)
            try require(again == begun, "\(kind): \(String(describing: again)) is under way")
            try require(spool.drain("a") == Array(4...12), "\(kind): points were lost or came twice")
        }
    }

    func reportsLossOfRemovedReaders() throws(Violation) {
        let spool = roomy()
        spool.addReader("a", .durable, wants: .metrics)
        spool.addReader("live", .live, wants: .metrics)
        spool.append(1...9, at: now)
        guard let stretch = spool.cut(for: "a", maxCount: 4, maxBytes: .max) else { throw Violation("nothing waits") }
        spool.acknowledge(stretch, for: "a")
        spool.removeReader("a")
        spool.removeReader("live")
        let losses = spool.takeLosses()
        try require(
            losses.map(\.component) == ["a"] && losses.first?.count == 5 && losses.first?.reason == "sink_removed",
            "it was told \(losses)")
        try require(spool.takeLosses().isEmpty, "it is told twice")
    }

    func keepsResourcesApart() throws(Violation) {
        let spool = roomy()
        spool.addReader("a", .durable, wants: .metrics)
        let resources = ["1", "1", "2", "1"].map { Resource(host: "h", agentVersion: $0) }
        for (index, resource) in resources.enumerated() {
            spool.resource = resource
            let first = UInt64(index * 10) + 1
            spool.append(first...(first + 9), at: now)
        }
        var cuts: [(Stretch, SpoolContents)] = []
        while let stretch = spool.cut(for: "a", maxCount: 100, maxBytes: .max) {
            let contents = spool.read(stretch, for: "a")
            cuts.append((stretch, contents))
            spool.acknowledge(stretch, for: "a")
        }
        try require(cuts.map(\.0.count) == [20, 10, 10], "cut \(cuts.map(\.0))")
        try require(cuts.allSatisfy { $0.0.last == $0.1.last }, "a stretch has two resources")
        guard let stretch = cuts.first?.0 else { return }
        let looked = spool.read(Stretch(first: stretch.first, last: stretch.last + 5), for: "a")
        try require(looked.last == stretch.last || looked.points.isEmpty, "a look spans two resources: \(looked)")
        try require(cuts.map(\.1.resource) == [resources[0], resources[2], resources[3]], "a resource changed")
        try require(cuts.flatMap { $0.1.points.compactMap(\.number) } == Array(1...40), "points were lost")
    }

    func startsLateReadersAtTheTail() throws(Violation) {
        let spool = roomy()
        spool.addReader("a", .durable, wants: .metrics)
        spool.append(1...3, at: now)
        spool.addReader("late", .durable, wants: .metrics)
        spool.append(4...5, at: now)
        try require(spool.drain("late") == [4, 5], "it read from before its time")
    }
}
