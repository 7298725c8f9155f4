import Foundation
import SondeDomain
import Testing

@testable import ProcNetPlugin

/// What other agents report about the kernel: each metric of theirs is here, or the README has the reason why not.
@Suite struct ParityTests {
    private struct Line: CustomTestStringConvertible {
        let peer: String
        let sign: Character
        let ours: String

        var testDescription: String { peer }
    }

    private static let lines: [Line] = {
        let path = ProcTree.directory + "/Fixtures/parity.txt"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
            guard let sign = ["=", "!", "~"].first(where: { line.contains(" \($0) ") }) else { return nil }
            let parts = line.split(separator: " \(sign) ", maxSplits: 1).map(String.init)
            return Line(peer: parts[0], sign: Character(sign), ours: parts[1])
        }
    }()

    private static let catalog = Dictionary(
        uniqueKeysWithValues: ProcNetSource.descriptor.metrics.map { ($0.name, $0) })

    @Test func everyMetricOfThePeersIsHere() {
        var found = 0
        for line in Self.lines where line.sign == "=" {
            let parts = line.ours.split(separator: "{").map(String.init)
            let metric = Self.catalog[parts[0]]
            #expect(metric != nil, "\(line.peer)")
            if parts.count > 1 {
                #expect(metric?.attributes.contains(String(parts[1].dropLast())) == true, "\(line.peer)")
            }
            found += 1
        }
        #expect(found > 90)
    }

    @Test func everyHeadlineColumnOfThePeersIsReportedByDefault() throws {
        var found = 0
        for line in Self.lines where line.sign == "~" {
            let parts = line.ours.split(separator: ".").map(String.init)
            let row = try #require(KnownColumns.rows.first { $0.name == parts[0] }, "\(line.peer)")
            #expect(row.columns.split(separator: " ").contains(parts[1][...]), "\(line.peer)")
            let column = try #require(ColumnNaming.column(parts[1], row: parts[0], table: row.table), "\(line.peer)")
            #expect(Self.catalog[column.metric.name] != nil, "\(line.peer)")
            let isAlways = row.table == .sockstat || row.table == .sockstat6
            #expect(isAlways || CounterChoice.isHeadline(row: parts[0], column: parts[1]), "\(line.peer)")
            found += 1
        }
        #expect(found > 80)
    }

    @Test func everyColumnOfTheKernelIsInTheCatalog() throws {
        var found = 0
        for row in KnownColumns.rows {
            for name in row.columns.split(separator: " ").map(String.init) {
                let column = try #require(ColumnNaming.column(name, row: row.name, table: row.table))
                #expect(Self.catalog[column.metric.name] != nil, "\(row.name).\(name)")
                found += 1
            }
        }
        #expect(found > 390)
    }

    @Test func theReadmeSaysWhyAnythingIsLeftOut() throws {
        let folder = URL(filePath: ProcTree.directory).deletingLastPathComponent()
        let readme = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
        let begin = try #require(readme.range(of: "**Not there, and why.**"))
        let end = try #require(readme.range(of: "**Counters.**"))
        let reasons = readme[begin.upperBound..<end.lowerBound]
        for line in Self.lines where line.sign == "!" {
            #expect(reasons.contains(line.ours), "\(line.peer)")
        }
    }
}
