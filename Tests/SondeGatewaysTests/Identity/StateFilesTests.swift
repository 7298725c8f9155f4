import Foundation
import SondeDomain
import Testing

@testable import SondeGateways

@Suite struct StateFilesTests {
    private static func inFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "sonde-state-files-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/spool", withIntermediateDirectories: true)
        try body(folder)
    }

    private static func make(_ names: [String: Int], in folder: String) throws {
        for (name, seconds) in names {
            #expect(FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: nil))
            let attributes = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: Double(seconds))]
            try FileManager.default.setAttributes(attributes, ofItemAtPath: "\(folder)/\(name)")
        }
    }

    private static let segment = "spool/" + SpoolFolder.segmentName(1)

    @Test func theNewestOfTheAgentAndItsSpoolCounts() throws {
        #expect(StateFiles(in: "/nowhere").newestTime == nil)
        try Self.inFolder { folder in
            #expect(StateFiles(in: folder).newestTime == nil)
            try Self.make(["agent-id": 1_000, Self.segment: 3_000, "history.db": 2_000], in: folder)
            #expect(StateFiles(in: folder).newestTime == Timestamp(seconds: 3_000))
            try Self.make(["spool/central.cur": 4_000], in: folder)
            #expect(StateFiles(in: folder).newestTime == Timestamp(seconds: 4_000))
        }
    }

    @Test func filesOfOthersSayNothing() throws {
        try Self.inFolder { folder in
            let others = ["backup.tar", "history.db.set-aside", "spool/notes.txt", "spool/1.seg"]
            try Self.make(Dictionary(uniqueKeysWithValues: others.map { ($0, 9_000) }), in: folder)
            #expect(StateFiles(in: folder).newestTime == nil)
            try Self.make(["agent-id": 1_000], in: folder)
            #expect(StateFiles(in: folder).newestTime == Timestamp(seconds: 1_000))
        }
    }

    @Test func thoseOfTheFutureGetThePresentTime() throws {
        try Self.inFolder { folder in
            let now = Int(Date().timeIntervalSince1970)
            try Self.make(["agent-id": 1_000, Self.segment: now + 90_000, "backup.tar": now + 90_000], in: folder)
            let files = StateFiles(in: folder)
            files.touch(laterThan: Timestamp(seconds: Int64(now)))
            let newest = try #require(files.newestTime)
            #expect(newest == Timestamp(seconds: Int64(now)))
            func date(of name: String) throws -> Date? {
                try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.modificationDate] as? Date
            }
            #expect(try date(of: "agent-id") == Date(timeIntervalSince1970: 1_000))
            #expect(try date(of: "backup.tar") == Date(timeIntervalSince1970: Double(now + 90_000)))
        }
    }
}
