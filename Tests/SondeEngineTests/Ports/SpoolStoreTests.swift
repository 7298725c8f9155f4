import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@Suite struct SpoolStoreTests {
    @Test func aLogThatKeepsNothingBeyondTheProcessTellsOfNoFilesAndNoCheckpoint() {
        let store: any SpoolStore = FailingSpool()
        store.addReader("sink", .durable, wants: .metrics)
        _ = store.append(
            [.numbered(1)], documents: [], checkpoint: SpoolCheckpoint(source: "log", bytes: [1]),
            at: MonotonicInstant(nanoseconds: 1))
        #expect(store.backlog(of: "sink").count == 1)
        #expect(store.checkpoint(of: "log") == nil)
        #expect(store.unsafeBytes == 0)
        #expect(store.usage() == nil)
        #expect(store.contents(from: 1, count: 1).points.isEmpty)
    }
}
