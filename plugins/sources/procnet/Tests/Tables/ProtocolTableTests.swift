import Testing

@testable import ProcNetPlugin

@Suite struct ProtocolTableTests {
    @Test func valuesBelongToTheNamesAbove() {
        let learned = Learned(.snmp, "Tcp: MaxConn CurrEstab\nTcp: -1 3\nUdp: InDatagrams\nUdp: 7\n")
        #expect(
            learned.readings == [
                "sonde.kernel.tcp.max_conn": .negative(1),
                "sonde.kernel.tcp.curr_estab": .unsigned(3),
                "sonde.udp.datagram.count{network.io.direction=receive,network.type=ipv4}": .unsigned(7),
            ]
        )
        #expect(learned.problems.total == 0)
    }

    @Test func theSecondReadingParsesNumbersOnly() {
        var learned = Learned(.snmp, "Tcp: A B\nTcp: 1 2\nUdp: C\nUdp: 3\n")
        #expect(
            learned.scan("Tcp: A B\nTcp: 18446744073709551615 -2\nUdp: C\nUdp: 30")
                == [.unsigned(.max), .negative(2), .unsigned(30)]
        )
    }

    @Test(arguments: [
        "Tcp: A B C\nTcp: 1 2 3\nUdp: C\nUdp: 3\n", "Udp: C\nUdp: 3\nTcp: A B\nTcp: 1 2\n", "Tcp: A B\nTcp: 1 2\n",
        "Tcp: A B\nTcp: 1\nUdp: C\nUdp: 3\n", "Tcp: A B\nTcp: 1 2 3\nUdp: C\nUdp: 3\n",
        "Tcp: A B\nTcp: 1 2\nUdp: C\nUdp: 3\nIp: D\nIp: 4\n", "", "Tcp: A B\nTcp: 1-2\nUdp: C\nUdp: 3\n",
    ])
    func otherNamesAreLearnedAnew(text: String) {
        var learned = Learned(.snmp, "Tcp: A B\nTcp: 1 2\nUdp: C\nUdp: 3\n")
        #expect(learned.scan(text) == nil)
    }

    @Test(arguments: ["Tcp: 1", "Tcp: 1 2 3", "Tcp: 1 x", "Tcp:", "Tcp: 1 2x"])
    func aRowThatDoesNotFitIsSkippedAndCounted(values: String) {
        let learned = Learned(.snmp, "Tcp: A B\n\(values)\nUdp: C\nUdp: 3\n")
        #expect(learned.numbers == [.absent, .absent, .unsigned(3)])
        #expect(learned.problems[.rowMismatch] == 1)
    }

    @Test func aMissingLineOfValuesCostsNoOtherRow() {
        let learned = Learned(.snmp, "Tcp: A B\nUdp: C\nUdp: 3\n")
        #expect(learned.numbers == [.unsigned(3)])
        #expect(learned.problems[.malformedLine] == 1)
    }

    @Test func carriageReturnsAreBlanks() {
        var learned = Learned(.snmp, "Tcp: A B\r\nTcp: 1 2\r\n")
        #expect(learned.numbers == [.unsigned(1), .unsigned(2)])
        #expect(learned.scan("Tcp: A B\r\nTcp: 5 6\r\n") == [.unsigned(5), .unsigned(6)])
    }

    @Test func columnsBeyondTheLimitAreCounted() {
        var limits = TableLimits()
        limits.columns = 3
        let learned = Learned(.snmp, "Tcp: A B\nTcp: 1 2\nUdp: C D\nUdp: 3 4\nIp: E\nIp: 5\n", limits: limits)
        #expect(learned.numbers == [.unsigned(1), .unsigned(2), .unsigned(5)])
        #expect(learned.problems[.columnLimit] == 1)
    }

    @Test func aRowThatComesTwiceIsCounted() {
        let learned = Learned(.snmp, "Tcp: A\nTcp: 1\nTcp: A\nTcp: 2\n")
        #expect(learned.numbers == [.unsigned(1)])
        #expect(learned.problems[.duplicate] == 1)
    }

    @Test func aRowWithoutColumnsIsCounted() {
        #expect(Learned(.snmp, "Tcp:\nTcp:\n").problems[.malformedLine] == 1)
    }
}
