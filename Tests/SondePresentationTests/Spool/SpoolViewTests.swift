import SondeFormats
import SondePresentation
import Testing

@Suite struct SpoolViewTests {
    private static func text(_ lines: [StyledLine]) -> [String] {
        lines.map { line in line.spans.map(\.text).joined() }
    }

    private static func order(_ members: String) throws -> OrderState {
        OrderState(try JSONReader.parse("{\"sink\":\"central\",\(members)}"))
    }

    @Test func aListShowsSinksSegmentsAndDeadLettersWithTheirWholeNames() throws {
        let name = "3274d5af-836c-42ce-a3a7-e0ab9c35a1f1-00000000000000000001-00000000000000000067.jsonl"
        let list = try JSONReader.parse(
            """
            {"spool":{"time":"2026-01-01T00:01:00.000Z","kind":"disk","max_bytes":268435456,"epoch":"e"},"bytes":11264,
            "segments":[{"first":1,"last":1742,"state":"active","points":1742,"bytes":10240,
            "oldest":"2026-01-01T00:00:00.000Z","newest":"2026-01-01T00:00:58.000Z"}],
            "sinks":[{"id":"central","reader":"durable","next":1408,"offering":"1408-1474","waiting":335,"bytes":1969}],
            "set_aside":[{"name":"quarantine/x","bytes":5}],
            "dead_letters":[{"sink":"central","name":"\(name)","time":"2026-01-01T00:00:00.000Z","points":67,
            "bytes":19432,"code":"SND-HTTP400","message":"HTTP 400\\u001b[31m Bad Request"}]}
            """)
        let lines = Self.text(SpoolListView(SpoolListState(list), columns: 60).lines)
        #expect(lines.first == "spool on disk, 11 KiB of at most 256 MiB")
        #expect(lines.contains { $0.hasPrefix("central  durable  1408  1408-1474      335") })
        #expect(lines.contains { $0.hasPrefix("1-1742   active   1 742") })
        #expect(lines.contains { $0.hasPrefix("quarantine/x") })
        // Wider than the terminal: a name that is cut cannot be given to 'replay'.
        #expect(lines.contains("central  \(name)"))
        #expect(lines.contains { $0.contains("SND-HTTP400") })
        #expect(!lines.contains { $0.contains("\u{1b}") })
    }

    @Test func withoutDeadLettersItSaysSo() {
        let lines = Self.text(SpoolListView(SpoolListState(.object([])), columns: 80).lines)
        #expect(lines.last == "no dead letters")
    }

    @Test func anOrderIsASentence() throws {
        let done = try Self.order(
            #""kind":"replay_dead_letters","state":"done","batches":1,"points":1,"refused":0"#)
        #expect(done.sentence == "central: 1 batch with 1 point delivered")
        #expect(done.isComplete)
        let refused = try Self.order(
            #""kind":"replay_dead_letters","state":"done","batches":2,"points":9,"refused":1,"error":{"code":"C","message":"m"}"#
        )
        #expect(refused.sentence == "central: 2 batches with 9 points delivered, 1 not; C m")
        #expect(!refused.isComplete)
        let running = try Self.order(#""kind":"purge_waiting","state":"running","batches":0,"points":1200,"refused":0"#)
        #expect(running.sentence == "central: 1 200 points dropped so far")
        #expect(running.isOpen)
        let failed = try Self.order(
            #""kind":"purge_dead_letters","state":"failed","batches":0,"points":0,"refused":0,"error":{"code":"C","message":"m"}"#
        )
        #expect(failed.sentence == "central: 0 dead letters with 0 points removed; given up; C m")
    }

    @Test func aPurgeWithABoundInTimeSaysThatItCountsTooMuch() throws {
        let json = try JSONReader.parse(#"{"sink":"a","points":335,"bytes":2048}"#)
        #expect(PurgePreview(json, before: nil).sentence == "a: would drop 335 points of what waits (2 KiB)")
        #expect(
            PurgePreview(json, before: "2026-01-01T00:00:00.000Z").sentence
                == "a: would drop at most 335 points of what waits (2 KiB) from before 2026-01-01T00:00:00.000Z")
    }

    @Test func pointsAreRowsAndWhatIsNoPointIsShownAsItIs() {
        let lines = Self.text(
            PointLineView([
                #"{"time":"2026-01-01T00:00:00.000Z","name":"a","unit":"By","value":5,"attributes":{"k":"v"}}"#,
                #"{"time":"2026-01-01T00:00:00.000Z","name":"h","count":3,"bounds":[1],"counts":[1,2]}"#, "no JSON",
            ]).lines)
        #expect(lines.count == 4)
        #expect(lines[1].split(separator: " ") == ["2026-01-01T00:00:00.000Z", "a", "k=v", "5", "By"])
        #expect(lines[2].contains("3 values"))
        #expect(lines[3].hasPrefix("no JSON"))
    }
}
