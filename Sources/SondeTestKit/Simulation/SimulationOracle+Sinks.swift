internal import SondeDomain
internal import SondeEngine

extension SimulationOracle {
    func cut(_ stretch: Stretch, of sink: String) {
        guard var account = sinks[sink] else { return }
        if let last = account.lastCut, account.isDurable, !diskHasFailed {
            let isSame = stretch.first == last.first && stretch.last <= last.last
            require(
                isSame || stretch.first == last.last &+ 1,
                "\(sink): \(last.first)-\(last.last) was cut, then \(stretch.first)-\(stretch.last)")
        }
        account.lastCut = stretch
        sinks[sink] = account
        if account.isDurable { promised(through: stretch.last) }
    }

    /// A batch is offered: every entry must be what was appended under one of its numbers, in order.
    func offered(_ batch: Batch, to sink: String) {
        guard var account = sinks[sink] else { return }
        let points = batch.entries.map { Content(name: batch.series[$0.seriesIndex].name, $0.point, batch.resource) }
        let offer = Offer(
            identity: batch.identity,
            points: find(points, in: batch.identity, for: sink, account),
            documents: find(batch.documents.map { Content($0, batch.resource) }, in: batch.identity, for: sink, account)
        )
        // What one read could not get and the next can is reported as lost, and delivered all the same.
        if account.isDurable, !diskHasFailed, let last = account.offer, last.identity == batch.identity {
            require(offer.all.isSubset(of: last.all), "\(sink): \(batch.identity.text) came back with more in it")
        }
        account.offer = offer
        sinks[sink] = account
    }

    /// Which of the appended ones these are: each must be in the stretch, after the one before it.
    private func find(
        _ contents: [Content],
        in identity: BatchIdentity,
        for sink: String,
        _ account: SinkAccount
    ) -> [Int] {
        var candidates = numbers(identity.first, identity.last).makeIterator()
        var found: [Int] = []
        for content in contents {
            require(account.gets(content), "\(sink) got what it is configured not to get: \(content)")
            while true {
                guard let sequence = candidates.next() else {
                    require(false, "\(sink): \(identity.text) holds \(content), which is not of it")
                    return found
                }
                guard let index = indices[sequence], points[index].content == content else { continue }
                if account.isDurable {
                    see(content, sequence, identity.epoch)
                    require(
                        points[index].standing != .void || diskHasFailed,
                        "\(sink): number \(sequence) lies after the checkpoint that survived, and was offered")
                }
                found.append(index)
                break
            }
        }
        return found
    }

    /// The numbers of a stretch that were given to anything.
    private func numbers(_ first: UInt64, _ last: UInt64) -> [UInt64] {
        guard last >= first else { return [] }
        // A stretch may cover numbers that were skipped, any number of them.
        guard last - first > 10_000 else { return (first...last).filter { indices[$0] != nil } }
        return indices.keys.filter { $0 >= first && $0 <= last }.sorted()
    }

    private func see(_ content: Content, _ sequence: UInt64, _ epoch: String) {
        let key = Numbered(epoch: epoch, sequence: sequence)
        if let known = seen[key] { require(known == content, "number \(sequence) had other contents before") }
        seen[key] = content
    }

    /// The receiver, or the dead letters, have the first `count` points of what was offered last.
    func settled(_ sink: String, dropping count: Int = 0) {
        guard var account = sinks[sink], let offer = account.offer else { return }
        account.rejected.formUnion(offer.points.suffix(count))
        let kept = (offer.points.dropLast(count) + offer.documents).sorted()
        for index in kept where account.settled.insert(index).inserted {
            account.missing.remove(index)
            require(
                index > account.newestSettled || !account.isDurable || mayGoBack || account.rejected.contains(index),
                "\(sink): number \(points[index].sequence) was delivered for the first time after later ones")
            account.newestSettled = max(account.newestSettled, index)
        }
        sinks[sink] = account
    }

    /// A stretch was read for a batch.
    func read(_ count: Int, for sink: String) { sinks[sink]?.lastRead = count }

    /// A sink has passed a stretch: what it has not got of it must be in the ledger.
    func passed(_ stretch: Stretch, of sink: String) {
        guard var account = sinks[sink] else { return }
        account.passed += account.lastRead
        account.lastRead = 0
        if let offer = account.offer, offer.identity.first == stretch.first, offer.identity.last == stretch.last {
            account.offeredPoints &+= UInt64(offer.points.count + offer.documents.count)
        }
        account.offer = nil
        for sequence in numbers(stretch.first, stretch.last) {
            guard let index = indices[sequence] else { continue }
            if isOwed(index, to: account) { account.missing.insert(index) }
            guard !account.reads(points[index].content) else { continue }
            // A stretch is passed twice where the agent ended before its cursor was written.
            if account.unwantedPassed.insert(index).inserted { account.unwantedAhead -= 1 }
            account.passed += 1
            // It is unknown whether it was there: it may have been dropped in an earlier run.
            if points[index].standing != .owed || index < firstOfLife { account.slack += 1 }
        }
        sinks[sink] = account
    }

    func isOwed(_ index: Int, to account: SinkAccount) -> Bool {
        points[index].standing == .owed && !account.settled.contains(index) && account.gets(points[index].content)
    }
}

extension SimulationOracle.SinkAccount {
    /// Whether the log gives it to this sink.
    func reads(_ content: SimulationOracle.Content) -> Bool {
        wants.contains(content.isDocument ? .snapshots : .metrics)
    }

    /// Whether it is for this sink.
    func gets(_ content: SimulationOracle.Content) -> Bool {
        guard reads(content), !content.isDocument else { return reads(content) }
        return !(excludesNoise && content.name.hasSuffix(".noise")) && (wantsEnds || !content.value.isEnd)
    }
}
