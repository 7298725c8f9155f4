import Testing

@testable import DropsPlugin

@Suite struct SymbolTableTests {
    private func table(_ printed: String) throws -> SymbolTable {
        let text = "name: some\n\tfield:int reason;\toffset:8;\tsize:4;\n\nprint fmt: \(printed)\n"
        return SymbolTable(
            of: "reason", in: try #require(TracepointFormat(Array(text.utf8), of: "some")), prefix: "reason")
    }

    private func reasons(_ kernel: String) throws -> SymbolTable {
        SymbolTable(
            of: "reason", in: try #require(try Fixture.format(kernel, PacketDrops.tracepoint)), prefix: "reason")
    }

    /// The same number has another meaning on another kernel.
    @Test func namesAreThoseOfTheKernelThatRuns() throws {
        #expect(try reasons("linux-6.0").name(3) == "pkt_too_small")
        #expect(try reasons("linux-6.18").name(3) == "no_socket")
        #expect(try reasons("linux-6.18").name(127) == "recursion_limit")
        #expect(try reasons("linux-6.18").number("qdisc_drop") == 64)
    }

    @Test func whatHasNoNameIsANumber() throws {
        #expect(try reasons("linux-6.18").name(4_000) == "reason_4000")
        #expect(try reasons("linux-5.10").name(2) == "reason_2")
    }

    @Test func theTableOfAnotherFieldIsNotTaken() throws {
        let table = try table(
            #""x", __print_symbolic(REC->family, { 2, "AF_INET" }), __print_symbolic(REC->reason, { 3, "C" })"#)
        #expect(table.name(2) == "reason_2")
        #expect(table.name(3) == "c")
    }

    @Test(arguments: [
        #"{ A, "NAME" }"#, #"{ 2, NAME }"#, #"{ 2, "" }"#, #"{ 2, "a b" }"#, #"{ -2, "NAME" }"#, #"{ 2 "NAME" }"#,
        #"{ 99999999999, "NAME" }"#, #"{ 2, "NA\u{1b}ME" }"#, #"{ 2, "REASON_7" }"#, "{", "{ 2,", "",
    ])
    func aNameThatCannotBeIsNone(_ entry: String) throws {
        let table = try table(#""x", __print_symbolic(REC->reason, { 1, "ONE" }, \#(entry))"#)
        #expect(table.name(1) == "one")
        #expect(table.name(2) == "reason_2")
    }

    @Test func neitherTwoNamesOfANumberNorTwoNumbersOfAName() throws {
        let table = try table(#""x", __print_symbolic(REC->reason, { 1, "ONE" }, { 1, "TWO" }, { 2, "one" })"#)
        #expect(table.name(1) == "one")
        #expect(table.name(2) == "reason_2")
    }
}
