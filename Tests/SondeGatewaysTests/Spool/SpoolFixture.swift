import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

/// A spool on a simulated disk, that can be closed and opened again.
struct SpoolFixture {
    static let directory = "/spool"
    static let instant = MonotonicInstant(nanoseconds: 1)

    let disk: SimulatedFileSystem
    let clock = ManualClock()
    var settings: DiskSpoolSettings

    init(seed: UInt64 = 1, maxBytes: Int64 = 1 << 20, segmentBytes: Int64 = 64 << 10) {
        disk = SimulatedFileSystem(seed: seed)
        settings = DiskSpoolSettings(directory: Self.directory, maxBytes: maxBytes)
        settings.segmentBytes = segmentBytes
        settings.minFree = 0
    }

    /// Opens the spool; `epoch` distinguishes starts.
    func open(epoch: Int = 1) throws(SondeError) -> DiskSpool {
        try DiskSpool(settings, fileSystem: disk, clock: clock, newEpoch: Self.newEpoch(epoch))
    }

    /// Opens the spool with one durable sink, `a`.
    func openWithReader(epoch: Int = 1) throws(SondeError) -> DiskSpool {
        let spool = try open(epoch: epoch)
        spool.addReader("a", .durable, wants: .metrics)
        return spool
    }

    static func epoch(_ number: Int) -> String {
        let digits = String(number)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    static func newEpoch(_ number: Int) throws(SondeError) -> SpoolEpoch {
        guard let epoch = SpoolEpoch(epoch(number)) else { throw .fake(.programmer) }
        return epoch
    }

    /// The paths of the segments, in order.
    var segments: [String] { disk.paths.filter { $0.hasSuffix(".seg") } }
}

extension SpoolStore {
    /// Appends numbered points and returns their stretch.
    @discardableResult
    func take(_ numbers: ClosedRange<UInt64>) -> Stretch? {
        let (result, _) = append(numbers.map { .numbered($0) }, documents: [], at: SpoolFixture.instant)
        guard case .taken(let stretch) = result else { return nil }
        return stretch
    }
}
