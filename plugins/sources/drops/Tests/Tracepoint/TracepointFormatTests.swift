import SondeTestKit
import Testing

@testable import DropsPlugin

@Suite struct TracepointFormatTests {
    private typealias Field = TracepointFormat.Field

    private func read(_ lines: String..., name: String = "some") -> TracepointFormat? {
        let text = "name: some\nID: 1\nformat:\n" + lines.map { "\t\($0)\n" }.joined()
        return TracepointFormat(Array(text.utf8), of: name)
    }

    @Test(arguments: [("linux-5.10", nil), ("linux-6.0", 28), ("linux-6.18", 36)] as [(String, Int?)])
    func theReasonIsWhereTheKernelSays(_ kernel: String, _ offset: Int?) throws {
        let format = try #require(try Fixture.format(kernel, PacketDrops.tracepoint))
        #expect(format.fields["reason"]?.offset == offset)
        #expect(format.fields["common_pid"] == Field(offset: 4, size: 4))
    }

    @Test func arraysAndPointersHaveTheirName() throws {
        let format = try #require(try Fixture.format("linux-6.18", Handshakes.tracepoint))
        #expect(format.fields["saddr_v6"] == Field(offset: 40, size: 16))
        #expect(format.fields["skaddr"] == Field(offset: 8, size: 8))
        #expect(format.fields["saddr_v6"]?.width == nil)
        #expect(format.fields["family"]?.width == .half)
    }

    @Test func whatIsNoFormatIsRefused() {
        #expect(TracepointFormat([], of: "some") == nil)
        #expect(read() == nil)
        let field = "field:int one;\toffset:0;\tsize:4;\tsigned:1;"
        #expect(read(field) != nil)
        #expect(read(field, name: "other") == nil)
        #expect(TracepointFormat([UInt8](repeating: 0x0a, count: 65_537), of: "some") == nil)
    }

    @Test(arguments: [
        "field:int ;\toffset:0;\tsize:4;\tsigned:1;", "field:int bad;\toffset:-8;\tsize:4;",
        "field:int bad;\toffset:99999999999;\tsize:4;", "field:int bad;\toffset:4294967295;\tsize:4294967295;",
        "field:int bad;\toffset:2046;\tsize:4;", "field:int bad;\toffset:0;\tsize:0;", "field:int bad;\toffset:8",
        "field:int bad;\tsize:4;\toffset:8;", "field:bad;\toffset:8;\tsize:4;", "int bad;\toffset:8;\tsize:4;",
    ])
    func aFieldThatCannotBeIsLeftOut(_ line: String) throws {
        let format = try #require(read("field:int one;\toffset:0;\tsize:4;", line))
        #expect(Array(format.fields.keys) == ["one"])
    }

    @Test func ofTwoFieldsWithOneNameTheFirstCounts() throws {
        let format = try #require(
            read("field:int one;\toffset:8;\tsize:4;", "field:int one;\toffset:12;\tsize:4;"))
        #expect(format.fields["one"]?.offset == 8)
    }

    @Test func aNumberThatLiesBetweenIsNone() {
        #expect(Field(offset: 6, size: 4).width == nil)
        #expect(Field(offset: 8, size: 3).width == nil)
        #expect(Field(offset: 10, size: 2).width == .half)
    }

    @Test(arguments: Fixture.kernels) func damagedTextsAreReadOrRefused(_ kernel: String) throws {
        var generator = SeededGenerator(seed: 21)
        let text = try Fixture.text(kernel, PacketDrops.tracepoint)
        for _ in 0..<2_000 {
            var damaged = text
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let place = Int.random(in: 0..<damaged.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: damaged[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: damaged.removeSubrange(place...min(place + 9, damaged.count - 1))
                default: damaged.insert(contentsOf: text.prefix(40), at: place)
                }
            }
            guard let format = TracepointFormat(damaged, of: "kfree_skb") else { continue }
            for field in format.fields.values { #expect(field.offset >= 0 && field.offset + field.size <= 2_048) }
            _ = SymbolTable(of: "reason", in: format, prefix: "reason").name(3)
        }
    }
}
