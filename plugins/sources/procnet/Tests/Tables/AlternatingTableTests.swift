import Testing

@testable import ProcNetPlugin

@Suite struct NameValueTableTests {
    @Test func everyLineIsANumber() {
        let learned = Learned(.snmp6, "Ip6InOctets                   \t5\nUdp6InErrors\t18446744073709551615\n")
        #expect(
            learned.readings == [
                "sonde.kernel.ip6.in_octets": .unsigned(5), "sonde.kernel.udp6.in_errors": .unsigned(.max),
            ]
        )
    }

    @Test func theSecondReadingParsesNumbersOnly() {
        var learned = Learned(.snmp6, "Ip6A   \t1\nIp6B   \t2\n")
        #expect(learned.scan("Ip6A   \t100\nIp6B   \t0\n") == [.unsigned(100), .unsigned(0)])
        #expect(learned.scan("Ip6A   \t100\nIp6C   \t0\n") == nil)
        #expect(learned.scan("Ip6A   \t100\n") == nil)
        #expect(learned.scan("Ip6A   \t100\nIp6B   \t0\nIp6C   \t0\n") == nil)
    }

    @Test(arguments: ["Ip6A\n", "Ip6A x\n", "Ip6A 1 2\n", "Ip6A 1x\n"])
    func aLineThatDoesNotFitIsCounted(line: String) {
        let learned = Learned(.snmp6, line + "Ip6B 2\n")
        #expect(learned.numbers == [.unsigned(2)])
        #expect(learned.problems[.rowMismatch] == 1)
    }

    @Test func whatWasLeftOutIsCountedAtEveryReading() {
        var learned = Learned(.snmp6, "Ip6A\nIp6B 2\n")
        #expect(learned.scan("Ip6A\nIp6B 2\n") == nil)
    }

    @Test func columnsBeyondTheLimitAreCounted() {
        var limits = TableLimits()
        limits.columns = 1
        let learned = Learned(.snmp6, "Ip6A 1\nIp6B 2\nIp6C 3\n", limits: limits)
        #expect(learned.numbers == [.unsigned(1)])
        #expect(learned.problems[.columnLimit] == 2)
    }
}

@Suite struct SocketTableTests {
    private static let text = "sockets: used 16\nTCP: inuse 1 orphan 0 mem 222\n"

    @Test func namesAndValuesAlternate() {
        #expect(
            Learned(.sockstat, Self.text).readings == [
                "sonde.socket.current": .unsigned(16),
                "sonde.kernel.sockstat.tcp.inuse": .unsigned(1),
                "sonde.tcp.socket.orphan": .unsigned(0),
                "sonde.tcp.memory.usage": .unsigned(222),
            ]
        )
    }

    @Test func theSecondReadingParsesNumbersOnly() {
        var learned = Learned(.sockstat, Self.text)
        #expect(
            learned.scan("sockets: used 1\nTCP: inuse 100 orphan 7 mem 0")
                == [1, 100, 7, 0].map(KernelNumber.unsigned)
        )
        #expect(learned.scan("sockets: used 1\nTCP: inuse 100 orphan 7 memory 0\n") == nil)
    }

    @Test(arguments: ["UDP: inuse", "UDP: inuse x", "UDP: inuse 1x", "UDP:", "UDP: inuse 1 mem"])
    func aRowThatDoesNotFitIsCounted(row: String) {
        let learned = Learned(.sockstat, row + "\nRAW: inuse 3\n")
        #expect(learned.numbers == [.unsigned(3)])
        #expect(learned.problems[.rowMismatch] == 1)
    }

    @Test func columnsBeyondTheLimitAreCounted() {
        var limits = TableLimits()
        limits.columns = 2
        let learned = Learned(.sockstat, "TCP: a 1 b 2 c 3\nUDP: a 4 b 5\nRAW: a 6\n", limits: limits)
        #expect(learned.numbers == [.unsigned(4), .unsigned(5)])
        #expect(learned.problems[.columnLimit] == 2)
    }
}
