import Foundation
import SondeDomain
import SondeEngine

@testable import SondeGateways

/// A folder for a history that goes away with the test.
final class HistoryFixture {
    static let begin: Int64 = 1_767_225_600

    let folder: String
    var path: String { "\(folder)/history.db" }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "sonde-history-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// A store with the least room, or more.
    func store(bytes: Int64 = HistorySize.leastBytes, schema: HistorySchema = .current) -> SQLiteHistoryStore {
        SQLiteHistoryStore(path: path, size: HistorySize(bytes: bytes), schema: schema)
    }

    /// A store that holds one minute of a series.
    func filled() throws -> SQLiteHistoryStore {
        let store = store()
        try Self.fill(store, minute: 0)
        return store
    }

    static let series = HistorySeries(.bandwidthReceive, source: "kernel")

    /// Adds a minute, each of whose twelve steps has the minute's number as its value.
    @discardableResult
    static func fill(
        _ store: any HistoryStore,
        minute: Int64,
        series: [HistorySeries] = [series]
    ) throws(SondeError) -> HistoryReceipt {
        var steps = HistorySteps()
        let first = (begin + minute * 60) / 5
        for index in first..<(first + 12) { steps.set(HistoryPoint(Double(minute), weight: 5_000_000), at: index) }
        let additions = series.map { HistoryAddition($0, rank: .standard, steps) }
        return try store.append(additions, at: Timestamp(seconds: begin + minute * 60 + 60))
    }

    /// The values of all steps of the lowest tier.
    static func values(_ store: any HistoryStore, of series: HistorySeries = series) throws(SondeError) -> [Double] {
        try store.steps(of: series, in: .hour, 0..<Int64.max).steps.map(\.point.average)
    }
}
