import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@Suite struct ListSeriesTests {
    private let bench = PipelineBench()

    private func open(_ channel: SourceChannel, _ name: String, _ member: String = "") -> UInt64 {
        channel.openSeries(
            SeriesSpecification(
                name: name, kind: .gauge, unit: "1", attributes: member.isEmpty ? [] : [Attribute("member", member)]))
    }

    private func commit(_ channel: SourceChannel, _ values: [(UInt64, Double)]) {
        let samples = values.map { Sample(series: $0.0, time: nil, value: .double($0.1)) }
        #expect(channel.commit(samples, checkpoint: nil, rejections: []) == .taken)
    }

    private func list(_ channels: [SourceChannel]) -> ListSeries { ListSeries { channels } }

    @Test func theLastPointOfEachSeriesIsListedHoweverLongAgoItCame() {
        let channel = bench.channel()
        let (often, once, never) = (open(channel, "a.often"), open(channel, "b.once"), open(channel, "c.never"))
        commit(channel, [(often, 1), (once, 2)])
        let before = bench.clock.wallTime
        bench.clock.advance(by: .seconds(1))
        commit(channel, [(often, 3)])
        let page = list([channel])(SeriesQuery(), after: nil, limit: 10)
        #expect(page.points.map(\.series.name) == ["a.often", "b.once"])
        #expect(page.points.map(\.value) == [.double(3), .double(2)])
        #expect(page.points.map(\.time) == [bench.clock.wallTime, before])
        #expect(page.next == nil)
        #expect(never != 0)
    }

    @Test func whatHasEndedIsGone() {
        let channel = bench.channel()
        let (one, two) = (open(channel, "a"), open(channel, "b"))
        commit(channel, [(one, 1), (two, 2)])
        channel.closeSeries(one)
        let list = list([channel])
        #expect(list(SeriesQuery(), after: nil, limit: 10).points.map(\.series.name) == ["b"])
        channel.endAllSeries()
        #expect(list(SeriesQuery(), after: nil, limit: 10).points.isEmpty)
    }

    @Test func namesAndSourceChoose() {
        let channel = bench.channel()
        commit(channel, [(open(channel, "system.network.io"), 1), (open(channel, "dns.queries"), 2)])
        let list = list([channel])
        let names = { (query: SeriesQuery) in list(query, after: nil, limit: 10).points.map(\.series.name) }
        #expect(names(SeriesQuery(names: ["system.*"])) == ["system.network.io"])
        #expect(names(SeriesQuery(names: ["system.*", "dns.?ueries"])).count == 2)
        #expect(names(SeriesQuery(source: "kernel")).count == 2)
        #expect(names(SeriesQuery(source: "other")).isEmpty)
    }

    /// Both have numbers between each other's, and the pages are small.
    @Test func pagesOverSeveralSourcesLeaveNothingOutAndRepeatNothing() {
        let channels = [bench.channel(), bench.channel()]
        for index in 0..<5_000 {
            for channel in channels where index % 3 != 0 || channel === channels[0] {
                commit(channel, [(open(channel, "m", "\(index)"), Double(index))])
            }
        }
        for limit in [500, 1_000, 20_000] {
            var (seen, after): ([UInt64], SeriesID?) = ([], nil)
            repeat {
                let page = list(channels)(SeriesQuery(), after: after, limit: limit)
                #expect(page.points.count <= limit)
                seen += page.points.map(\.series.id.rawValue)
                after = page.next
            } while after != nil
            #expect(seen.count == 5_000 + 3_333)
            #expect(seen == Set(seen).sorted())
        }
    }

    @Test func aSeriesThatEndsBetweenPagesCostsNoOther() {
        let channel = bench.channel()
        let handles = (0..<10).map { open(channel, "m", "\($0)") }
        commit(channel, handles.map { ($0, 1) })
        let list = list([channel])
        let first = list(SeriesQuery(), after: nil, limit: 4)
        for handle in handles[2..<6] { channel.closeSeries(handle) }
        let second = list(SeriesQuery(), after: first.next, limit: 100)
        #expect(second.points.map { $0.series.attribute("member") } == ["6", "7", "8", "9"])
    }
}
