import Testing

@testable import ProcNetPlugin

@Suite struct DeviceTableTests {
    private static let header = """
        Inter-|   Receive       |  Transmit
         face |bytes    packets|bytes carrier

        """

    @Test func everyColumnOfAnInterfaceIsRead() {
        let learned = Learned(.dev, Self.header + "  eth0: 1 2 3 4\n")
        #expect(
            learned.readings == [
                "system.network.io{network.interface.name=eth0,network.io.direction=receive}": .unsigned(1),
                "system.network.packet.count{network.interface.name=eth0,network.io.direction=receive}":
                    .unsigned(2),
                "system.network.io{network.interface.name=eth0,network.io.direction=transmit}": .unsigned(3),
                "sonde.network.interface.carrier_error{network.interface.name=eth0,network.io.direction=transmit}":
                    .unsigned(4),
            ]
        )
        #expect(learned.problems.total == 0)
    }

    @Test(arguments: [
        ("eth0:1: 1 2 3 4", "eth0:1"), ("abcdefghijklmno:1 2 3 4", "abcdefghijklmno"), ("  bü: 1 2 3 4\r", "bü"),
        ("a|b: 1 2 3 4", "a|b"), ("face: 1 2 3 4", "face"),
    ])
    func oddNamesAreInterfacesToo(line: String, name: String) {
        let learned = Learned(.dev, Self.header + line + "\n")
        #expect(learned.sections.map(\.key) == [name])
        #expect(learned.numbers == [1, 2, 3, 4].map(KernelNumber.unsigned))
    }

    @Test func theSecondReadingParsesNumbersOnly() {
        var learned = Learned(.dev, Self.header + "    lo: 1 2 3 4\n  eth0: 5 6 7 8\n")
        #expect(
            learned.scan(Self.header + " lo:10 20 30 40\neth0: 50 60 70 80\n")
                == [10, 20, 30, 40, 50, 60, 70, 80].map(KernelNumber.unsigned)
        )
    }

    @Test(arguments: [
        "    lo: 1 2 3 4\n", "  eth0: 5 6 7 8\n    lo: 1 2 3 4\n", "    lo: 1 2 3 4\n  eth0: 5 6 7\n",
        "    lo: 1 2 3 4\n  eth0: 5 6 7 8 9\n", "    lo: 1 2 3 4\n  eth1: 5 6 7 8\n", "",
        "    lo: 1 2 3 4\n  eth0: 5 6 7 8\n  eth1: 5 6 7 8\n", "    lo: 1 2 3 4\n  eth0: 5 6 7 8x\n",
    ])
    func anotherSetOfInterfacesIsLearnedAnew(rows: String) {
        var learned = Learned(.dev, Self.header + "    lo: 1 2 3 4\n  eth0: 5 6 7 8\n")
        #expect(learned.scan(Self.header + rows) == nil)
    }

    @Test(arguments: ["eth0: 1 2 3", "eth0: 1 2 3 4 5", "eth0: 1 2 x 4", "eth0:", "eth0: 1 2 3 4x"])
    func aRowThatDoesNotFitIsSkippedAndCounted(row: String) {
        let learned = Learned(.dev, Self.header + row + "\n  lo: 1 2 3 4\n")
        #expect(learned.sections.map(\.key) == ["eth0", "lo"])
        #expect(learned.numbers.prefix(4).allSatisfy { $0 == .absent })
        #expect(learned.numbers.suffix(4).elementsEqual([1, 2, 3, 4].map(KernelNumber.unsigned)))
        #expect(learned.problems[.rowMismatch] == 1)
    }

    @Test func reorderedColumnsKeepTheirMeaning() {
        let learned = Learned(.dev, "x\nface |packets bytes|carrier bytes\nlo: 1 2 3 4\n")
        #expect(
            learned.readings["system.network.io{network.interface.name=lo,network.io.direction=receive}"]
                == .unsigned(2)
        )
    }

    @Test func aColumnThatNobodyKnowsFollowsTheRule() {
        let learned = Learned(.dev, "face |bytes fooBars|bytes\nlo: 1 2 3\n")
        #expect(
            learned.readings[
                "sonde.network.interface.foo_bars{network.interface.name=lo,network.io.direction=receive}"
            ] == .unsigned(2)
        )
        #expect(learned.sections.flatMap { $0.columns() }.compactMap { $0 }.filter { !$0.isKnown }.count == 1)
    }

    @Test func interfacesBeyondTheLimitAreCounted() {
        var limits = TableLimits()
        limits.interfaces = 2
        let rows = (0..<5).map { "eth\($0): 1 2 3 4\n" }.joined()
        let learned = Learned(.dev, Self.header + rows, limits: limits)
        #expect(learned.sections.map(\.key) == ["eth0", "eth1"])
        #expect(learned.problems[.interfaceLimit] == 3)
    }

    @Test func aSecondRowOfTheSameInterfaceIsCounted() {
        let learned = Learned(.dev, Self.header + "lo: 1 2 3 4\nlo: 5 6 7 8\n")
        #expect(learned.numbers == [1, 2, 3, 4].map(KernelNumber.unsigned))
        #expect(learned.problems[.duplicate] == 1)
    }

    @Test(arguments: ["", "\n", "lo: 1 2 3 4\n", "face |bytes\nlo: 1\n"])
    func withoutAHeaderNothingIsRead(text: String) {
        #expect(Learned(.dev, text).sections.isEmpty)
    }
}
