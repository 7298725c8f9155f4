import Testing

/// docs/guide/where-to-change.md against a recorded change for each row; that its links lead to files, MarkdownLinksTests holds.
@Suite struct WhereToChangeTests {
    private static let changes = "Tests/ArchitectureTests/Changes"
    private static let rows = ChangeRow.all(in: (try? Repository.text("docs/guide/where-to-change.md")) ?? "")
    private static let knownTests = Set(
        Repository.files(suffixes: ["Tests.swift"]).compactMap { $0.split(separator: "/").last?.dropLast(6) })

    @Test func everyRowHasARecordedChangeOfItsOwnAndEveryChangeARow() {
        #expect(Self.rows.count >= 30)
        #expect(Self.rows.map(\.example).sorted() == Repository.files(below: Self.changes, suffixes: [".patch"]))
    }

    @Test(arguments: rows)
    func aRowNamesExactlyTheFilesThatItsChangeTouches(_ row: ChangeRow) throws {
        let change = RecordedChange(try Repository.text(row.example))
        #expect(row.faults(touching: change.paths) == [])
    }

    @Test(arguments: rows)
    func theChangeOfARowCanStillBeMade(_ row: ChangeRow) throws {
        let change = RecordedChange(try Repository.text(row.example))
        #expect(change.faults { Repository.exists($0) ? try? Repository.text($0) : nil } == [])
    }

    @Test(arguments: rows)
    func theTestsThatHoldARowAreThere(_ row: ChangeRow) {
        #expect(row.tests.subtracting(Self.knownTests.map(String.init)) == [])
    }

    @Test(arguments: ["status-of-a-format", "class-of-failures", "option-of-all-sinks"])
    func whatOftenChangesIsChangedInFourFilesAtMost(_ name: String) throws {
        let change = RecordedChange(try Repository.text("\(Self.changes)/\(name).patch"))
        #expect((1...4).contains(change.paths.count))
    }

    @Test func aFileThatARowForgetsAndOneThatIsNotTouchedAreFaults() throws {
        let line =
            "| do it | [A.swift](../../Sources/A.swift), [B](../../Sources/B) | `CTests` | [example](../../x.patch) |"
        let row = try #require(ChangeRow.all(in: line).first)
        #expect(row.faults(touching: ["Sources/A.swift", "Sources/B/1.swift", "Sources/B/2.swift"]) == [])
        #expect(row.faults(touching: ["Sources/A.swift", "Sources/B/1.swift", "Tests/CTests.swift"]) == [])
        #expect(row.faults(touching: ["Sources/A.swift", "Sources/B/1.swift", "C"]) == ["forgets C"])
        #expect(row.faults(touching: ["Sources/A.swift", "Sources/B2"]) == ["forgets Sources/B2", "names Sources/B"])
    }

    @Test func aChangeWhosePlaceIsGoneCannotBeMade() {
        let patch = """
            diff --git a/A b/A
            --- a/A
            +++ b/A
            @@ -1,2 +1,3 @@
             one
            +more
             two
            @@ -7 +8 @@
            -seven
            +eight
            diff --git a/B b/B
            --- /dev/null
            +++ b/B
            @@ -0,0 +1 @@
            +new

            """
        let change = RecordedChange(patch)
        #expect(change.paths == ["A", "B"])
        #expect(change.faults { ["A": "zero\none\ntwo\nthree\nseven\n"][$0] } == [])
        #expect(change.faults { ["A": "one\nmore\ntwo\nseven\n"][$0] }.count == 1)
        #expect(change.faults { ["A": "seven\none\ntwo\n"][$0] }.count == 1)
        #expect(change.faults { ["A": "one\ntwo\nseven\n", "B": ""][$0] } == ["B is there already"])
        #expect(change.faults { _ in nil } == ["A is not there"])
    }
}

/// A row of the guide.
struct ChangeRow: Sendable, CustomTestStringConvertible {
    /// The recorded change.
    let example: String
    /// The files and folders that it says have to change.
    let places: Set<String>
    /// The tests that hold it.
    let tests: Set<String>

    var testDescription: String { example.split(separator: "/").last.map(String.init) ?? example }

    /// The rows of a page in docs/guide: those that have links.
    static func all(in page: String) -> [ChangeRow] {
        page.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains("](") }.map { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst()
            let cell = { (index: Int) in cells.dropFirst(index).first ?? "" }
            return ChangeRow(
                example: links(in: cell(3)).first ?? "", places: Set(links(in: cell(1))),
                tests: Set(cell(2).matches(of: /`(\w+Tests)`/).map { String($0.1) }))
        }
    }

    private static func links(in cell: Substring) -> [String] {
        cell.matches(of: /\]\(\.\.\/(?:\.\.\/)?([^()\s#]+)\)/).map { match in
            match.0.hasPrefix("](../../") ? String(match.1) : "docs/\(match.1)"
        }
    }

    /// What differs between the row and a change that touches `paths`; a test that holds the row may be touched besides.
    func faults(touching paths: Set<String>) -> [String] {
        let isBelow = { (path: String, place: String) in path == place || path.hasPrefix("\(place)/") }
        let forgotten = paths.filter { path in
            !places.contains { isBelow(path, $0) } && !tests.contains { path.hasSuffix("/\($0).swift") }
        }
        let untouched = places.filter { place in !paths.contains { isBelow($0, place) } }
        return forgotten.sorted().map { "forgets \($0)" } + untouched.sorted().map { "names \($0)" }
    }
}
