import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

@Suite struct RecordingFileTests {
    @Test func whereItsProcessIsKilledItHasAllButTheLastCall() throws {
        let place = try TemporaryDirectory()
        let folder = "\(place.path)/made"
        let file = try RecordingFile(in: folder, limit: 1 << 20, clock: ManualClock())
        #expect(try RecordingFile.read(folder).sources == [])
        let number = file.add(.init(id: "kernel", plugin: "procnet", interval: .seconds(1)))
        for _ in 1...3 {
            _ = file.begin(number, .collect)
            [UInt8](repeating: 7, count: 10).withUnsafeBytes { file.keep(number, "key", $0) }
        }
        let kept = try RecordingFile.read(folder)
        #expect(kept.sources.map(\.id) == ["kernel"])
        #expect(kept.frames.count == 2)
        #expect(!kept.isComplete)
        try file.finish()
        let whole = try RecordingFile.read(folder)
        #expect(whole.frames.count == 3)
        #expect(whole.isComplete)
    }
}
