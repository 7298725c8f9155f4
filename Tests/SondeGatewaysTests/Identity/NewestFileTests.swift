import Foundation
import SondeDomain
import Testing

@testable import SondeGateways

@Suite struct NewestFileTests {
    @Test func theNewestFileOfTheStateDirectoryAndOfTheSpoolCounts() throws {
        let folder = NSTemporaryDirectory() + "sonde-newest-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(NewestFile.time(in: folder) == nil)
        try FileManager.default.createDirectory(atPath: folder + "/spool", withIntermediateDirectories: true)
        #expect(NewestFile.time(in: folder) == nil)
        for (name, seconds) in [("agent-id", 1_000), ("spool/1.seg", 3_000), ("history.db", 2_000)] {
            #expect(FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: nil))
            let attributes = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: Double(seconds))]
            try FileManager.default.setAttributes(attributes, ofItemAtPath: "\(folder)/\(name)")
        }
        #expect(NewestFile.time(in: folder) == Timestamp(seconds: 3_000))
    }
}
