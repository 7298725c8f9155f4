import Foundation
import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

/// A directory that goes with the test.
final class SpoolDirectory {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "sonde-spool-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

@Suite struct DiskSpoolContractTests {
    // The contract counts contents; files, headers and cursors come on top.
    private static let overhead: Int64 = 12 << 10

    private static func settings(
        _ directory: String,
        _ bytes: Int64,
        _ overflow: AgentSettings.OverflowPolicy
    ) -> DiskSpoolSettings {
        var settings = DiskSpoolSettings(directory: directory, maxBytes: bytes + overhead)
        settings.segmentBytes = max(1 << 10, bytes / 16)
        settings.overflow = overflow
        settings.minFree = 0
        return settings
    }

    @Test(arguments: SpoolStoreContract.Rule.allCases)
    func itKeepsTheContractOnASimulatedDisk(rule: SpoolStoreContract.Rule) throws {
        var failure: SondeError?
        let contract = SpoolStoreContract { bytes, overflow in
            do {
                return try DiskSpool(
                    Self.settings("/spool", bytes, overflow),
                    fileSystem: SimulatedFileSystem(),
                    clock: ManualClock(),
                    newEpoch: SpoolFixture.newEpoch(1)
                )
            } catch {
                failure = error as? SondeError
                return MemorySpool(epoch: "none", maxBytes: 0, overflow: overflow)
            }
        }
        try contract.check(rule)
        #expect(failure == nil)
    }

    @Test(arguments: SpoolStoreContract.Rule.allCases)
    func itKeepsTheContractOnARealDisk(rule: SpoolStoreContract.Rule) throws {
        let directory = try SpoolDirectory()
        var opened = 0
        var failure: SondeError?
        let contract = SpoolStoreContract { bytes, overflow in
            opened += 1
            var settings = Self.settings("\(directory.path)/\(opened)", bytes, overflow)
            // What a power cut leaves cannot be observed from here.
            settings.synchronization = .none
            do {
                return try DiskSpool(settings, clock: ManualClock(), newEpoch: SpoolFixture.newEpoch(1))
            } catch {
                failure = error as? SondeError
                return MemorySpool(epoch: "none", maxBytes: 0, overflow: overflow)
            }
        }
        try contract.check(rule)
        #expect(failure == nil)
        #expect(opened > 0)
    }
}
