import SondeDomain
import SondePresentation
import Testing

@testable import SondeEngine

@Suite struct EstimateViewTests {
    @Test func sourcesAndSinksAreTwoTables() {
        let kernel = EstimateDelivery.Source(
            id: "kernel", level: .core, interval: .seconds(10), series: 106, growsWithTraffic: false)
        let wire = EstimateDelivery.Source(
            id: "wire", level: .all, interval: .seconds(60), series: 12, growsWithTraffic: true)
        let agent = EstimateDelivery.Source(
            id: "agent", level: nil, interval: .seconds(10), series: 27, growsWithTraffic: false)
        let central = EstimateDelivery.Sink(
            id: "central", encoding: .init(format: "prometheus_remote_write", compression: "snappy"),
            period: .seconds(10), series: 133, bytesAnHour: 982_000)
        let local = EstimateDelivery.Sink(
            id: "local", encoding: .init(format: "json", compression: nil), period: .seconds(10), series: 133,
            bytesAnHour: 9_100_000)
        let console = EstimateDelivery.Sink(
            id: "console", encoding: nil, period: .seconds(10), series: 133, bytesAnHour: nil)
        #expect(
            EstimateView.text([kernel, wire, agent], [central, local, console]) == """
                SOURCE  LEVEL  INTERVAL  SERIES
                kernel  core   10s       106
                wire    all    1m        12 and more
                agent   -      10s       27

                SINK     WRITES                           EACH  SERIES  BYTES AN HOUR
                central  prometheus_remote_write, snappy  10s   133     about 982 kB
                local    json                             10s   133     about 9.1 MB
                console  -                                10s   133     -

                wire has more series the more traffic there is.

                Of sinks without bytes none are estimated: snapshots, scrapes, programs.

                """)
    }

    @Test func whatFailedIsUnknown() {
        let bad = EstimateDelivery.Source(
            id: "bad", level: .core, interval: .seconds(10), series: nil, growsWithTraffic: false)
        #expect(
            EstimateView.text([bad], []).hasPrefix(
                """
                SOURCE  LEVEL  INTERVAL  SERIES
                bad     core   10s       unknown

                """))
        #expect(EstimateView.text([bad], []).hasSuffix("\n\nbad: the collection failed, and is in no number.\n"))
    }

    @Test func withoutThemNothingIsLeftOut() {
        let kernel = EstimateDelivery.Source(
            id: "kernel", level: .core, interval: .seconds(10), series: 1, growsWithTraffic: false)
        let sink = EstimateDelivery.Sink(
            id: "local", encoding: .init(format: "json", compression: nil), period: .seconds(10), series: 1,
            bytesAnHour: 1)
        #expect(EstimateView.text([kernel], [sink]).split(separator: "\n").count == 4)
    }
}
