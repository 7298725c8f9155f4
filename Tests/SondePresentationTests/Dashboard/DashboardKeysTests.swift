import SondeDomain
import SondePresentation
import Testing

/// What keys do.
@Suite struct DashboardKeysTests {
    private func press(_ text: String, _ bench: inout DashboardBench) {
        var reader = KeyReader()
        for key in reader.keys(in: Array(text.utf8)) {
            if let intent = DashboardKeys.intent(of: key, in: bench.state) { bench.send(intent) }
        }
    }

    @Test func everyKeyOfTheScreenDoesWhatItSays() throws {
        var bench = try DashboardViewGoldenTests.bench(.overview)
        press("2", &bench)
        #expect(bench.state.tab == .interfaces)
        press("r", &bench)
        #expect(bench.state.range == .sixHours)
        press("rrrr", &bench)
        #expect(bench.state.range == .hour)
        press("m", &bench)
        #expect(bench.state.metric == .bandwidthTransmit)
        press("m", &bench)
        #expect(bench.state.metric == .bandwidthReceive)
        press("c", &bench)
        #expect(bench.state.chart == .area)
        press("s", &bench)
        #expect(bench.state.sort == .name)
        press("a", &bench)
        #expect(bench.state.showsIdleRows)
        press("p", &bench)
        #expect(bench.state.isPaused)
        press(" ", &bench)
        #expect(!bench.state.isPaused)
        press("?", &bench)
        #expect(bench.state.showsHelp)
        press("\u{1b}", &bench)
        #expect(!bench.state.showsHelp)
        press("e", &bench)
        #expect(bench.request("export") != nil)
        press("q", &bench)
        #expect(bench.hasEnded)
    }

    @Test func rowsAndPagesAreChosenWithArrows() throws {
        var bench = try DashboardViewGoldenTests.bench(.interfaces)
        press("\u{1b}[B", &bench)
        #expect(bench.state.selected == "wg0")
        press("\u{1b}OB", &bench)
        #expect(bench.state.selected == "eth0")
        press("\u{1b}[A", &bench)
        #expect(bench.state.selected == "wg0")
        press("jk", &bench)
        #expect(bench.state.selected == "wg0")
        press("\u{1b}[6~", &bench)
        #expect(bench.state.selected == "eth0")
        press("\u{1b}[5~", &bench)
        #expect(bench.state.selected == "wg0")
        press("\u{1b}[C", &bench)
        #expect(bench.state.tab == .connections)
        press("\u{1b}[D\u{1b}[D\u{1b}[D", &bench)
        #expect(bench.state.tab == .plugins)
        press("\t", &bench)
        #expect(bench.state.tab == .overview)
        press("\u{1b}[1;5C\u{1b}[3~9xyz\u{1}\r", &bench)
        #expect(bench.state.tab == .interfaces)
    }

    @Test func anEntryTakesAllKeys() throws {
        var bench = try DashboardViewGoldenTests.bench(.interfaces)
        press("/", &bench)
        press("qé\u{4e2d}🙂x\u{7f}\u{1b}[A", &bench)
        #expect(bench.state.entry == "qé\u{4e2d}🙂")
        #expect(!bench.hasEnded)
        press("\r", &bench)
        #expect(bench.state.filter == "qé\u{4e2d}🙂")
        press("\u{1b}", &bench)
        #expect(bench.state.filter == "")
        press("j\u{1b}", &bench)
        #expect(bench.state.selected == nil)
        press("/eth\u{1b}", &bench)
        #expect(bench.state.entry == nil)
    }

    @Test func failuresAreRecoveredAndDismissed() throws {
        var bench = try DashboardViewGoldenTests.bench(.overview)
        press("t", &bench)
        #expect(bench.request("retry") != nil, "what fails is on the screen")
        bench.pass(.seconds(1))
        try bench.fail("status", .controlAnswerUnreadable)
        press("t", &bench)
        #expect(bench.request("status") != nil)
        try bench.fail("status", .controlAnswerUnreadable)
        press("d", &bench)
        #expect(bench.state.failure == nil)
        press("4m", &bench)
        #expect(bench.state.metric == nil)
    }

    @Test func bytesThatAreNoKeysAreLeftOut() {
        var reader = KeyReader()
        #expect(reader.keys(in: [0x00, 0x1b, 0x5b, 0x5a]) == [])
        #expect(reader.keys(in: [0xff, 0xc3, 0x28]) == [])
        #expect(reader.keys(in: [0x1b, 0x1b]) == [.escape, .escape])
        #expect(reader.keys(in: [0xe4, 0xb8, 0x20]) == [])
    }

    /// A slow connection may bring a key in pieces.
    @Test func aKeyThatComesInPiecesIsOneKey() {
        for key in ["\u{1b}[A", "\u{1b}[5~", "é", "名"] {
            let whole = Array(key.utf8)
            for cut in 1..<whole.count where whole[0] != 0x1b || cut > 1 {
                var (reader, once) = (KeyReader(), KeyReader())
                #expect(reader.keys(in: Array(whole[..<cut])) == [])
                #expect(reader.keys(in: Array(whole[cut...])) == once.keys(in: whole))
            }
        }
        var reader = KeyReader()
        #expect(reader.keys(in: [0x1b, 0x5b] + Array(repeating: 0x30, count: 100)).count < 100)
        #expect(reader.keys(in: [0x41]) != [.up])
    }
}
