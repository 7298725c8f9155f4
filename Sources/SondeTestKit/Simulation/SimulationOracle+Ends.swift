internal import SondeDomain
internal import SondeEngine

extension SimulationOracle {
    /// What sets a series apart from others.
    struct SeriesKey: Hashable {
        var source: String
        var name: String
        var attributes: [Attribute] = []
    }

    /// What the log has of a series, and so its receivers in the end.
    enum SeriesStanding {
        /// Its last entry is a point.
        case live
        /// Its last entry is its end.
        case ended
        /// A crash, a power cut or a refusal leaves it open which.
        case unknown
    }

    struct SeriesAccount {
        var standing: SeriesStanding
        /// The number of its last entry.
        var sequence: UInt64 = 0
        /// Whether its last entry is a point of this life.
        var isRead = false
    }

    /// The series of one life of the agent.
    struct SeriesLife {
        /// The sources that the configuration has.
        var sources: Set<String> = []
        /// When each committed first.
        var began: [String: MonotonicInstant] = [:]
        /// What sources have open.
        var open: Set<SeriesKey> = []
        /// What they have closed since a commit was taken.
        var closed: Set<SeriesKey> = []
    }

    /// The result of an append.
    enum AppendOutcome {
        case taken, refused, uncertain
    }

    func opened(_ key: SeriesKey) {
        seriesLife.open.insert(key)
        seriesLife.closed.remove(key)
    }

    func closed(_ key: SeriesKey) {
        seriesLife.open.remove(key)
        seriesLife.closed.insert(key)
    }

    /// A source commits: how long it has to open its series again counts from the first time.
    func commitBegins(of source: String, at now: MonotonicInstant) {
        committing = source
        seriesLife.began[source] = seriesLife.began[source] ?? now
    }

    /// The life of the agent is over: every series is closed, and none has ended for that.
    func seriesLifeEnds(powerWasCut: Bool) {
        seriesLife = SeriesLife()
        // The segment of a life of which nothing was synced may have lost the definitions that it began with.
        let isLifeSafe = points.dropFirst(firstOfLife).first.map { $0.sequence <= safeThrough } ?? true
        let survives = !powerWasCut ? .max : plan.synchronization == .none || !isLifeSafe ? 0 : safeThrough
        series = series.mapValues { account in
            // What memory held for a full disk is gone too.
            let standing = account.sequence > survives || diskWasFull ? .unknown : account.standing
            return SeriesAccount(standing: standing, sequence: account.sequence)
        }
    }

    /// Points were given to the log, ends of series among them.
    func logged(_ points: [SpooledPoint], first: UInt64, _ outcome: AppendOutcome, at now: MonotonicInstant) {
        for (offset, point) in points.enumerated() {
            let key = SeriesKey(
                source: point.series.source, name: point.series.name, attributes: point.series.attributes)
            var account = series[key] ?? added(point.series)
            if point.value.isEnd { requireMayEnd(key, account, at: now) } else { requireMayGoOn(key) }
            switch outcome {
            case .taken:
                account.standing = point.value.isEnd ? .ended : .live
                account.sequence = first &+ UInt64(offset)
                account.isRead = !point.value.isEnd
                if point.value.isEnd { seriesLife.closed.remove(key) }
            // A source that has read it may end it, whether the log has it or not.
            case .refused: if !point.value.isEnd, account.standing != .live { account.standing = .unknown }
            case .uncertain: if point.value.isEnd || account.standing != .live { account.standing = .unknown }
            }
            series[key] = account
        }
        if outcome == .taken { requireEnds(at: now) }
    }

    private func added(_ new: Series) -> SeriesAccount {
        let texts = (new.attributes + new.labels).reduce(new.source.utf8.count + new.name.utf8.count) { sum, pair in
            sum + pair.name.utf8.count + pair.value.utf8.count + 20
        }
        // Those of the agent itself may be defined twice, for this life and the one before.
        definitionBytes += Int64((texts + 60) * (new.source == AgentCatalog.source ? 2 : 1))
        return SeriesAccount(standing: .unknown)
    }

    private func requireMayGoOn(_ key: SeriesKey) {
        require(
            seriesLife.open.contains(key) || key.source == AgentCatalog.source,
            "a point of \(key.name) was logged, which its source does not have open")
    }

    private func requireMayEnd(_ key: SeriesKey, _ account: SeriesAccount, at now: MonotonicInstant) {
        require(!seriesLife.open.contains(key), "\(key.name) was ended although its source has it open")
        require(account.standing != .ended || diskHasFailed, "\(key.name) was ended twice")
        let isUnclaimed = !seriesLife.sources.contains(key.source) && !account.isRead
        require(
            seriesLife.closed.contains(key) || isUnclaimed || hasHadTime(key.source, at: now),
            "\(key.name) was ended although it may still come back")
    }

    /// Whether a source has had the time to open again what it had open before.
    private func hasHadTime(_ source: String, at now: MonotonicInstant) -> Bool {
        guard let interval = plan.sources.first(where: { $0.id == source })?.interval else { return false }
        guard let began = seriesLife.began[source], now > began else { return false }
        return now.since(began) >= min(interval * 6, .seconds(60))
    }

    /// An append was taken: what had to end by now has ended.
    private func requireEnds(at now: MonotonicInstant) {
        guard !diskHasFailed else { return }
        // A segment begins with the definitions that fit in a quarter of it: the next start knows of no others.
        let isWhole = definitionBytes <= plan.segmentBytes / 4
        for (key, account) in series where account.standing == .live && !seriesLife.open.contains(key) {
            guard seriesLife.sources.contains(key.source) else {
                require(!isWhole || account.isRead, "\(key.name) has no end, although nothing reads it any more")
                continue
            }
            guard key.source == committing, isWhole || account.isRead else { continue }
            require(!seriesLife.closed.contains(key), "\(key.name) was closed and has no end")
            require(!hasHadTime(key.source, at: now), "\(key.name) did not come back and has no end")
        }
    }
}
