import Foundation
import SondeFormats
import SondeTestKit
import Testing

struct JSONReaderTests {
    @Test(arguments: [
        ("0", JSONValue.integer(0)), ("-1", .integer(-1)), ("9223372036854775807", .integer(.max)),
        ("-9223372036854775808", .integer(.min)), ("18446744073709551615", .unsigned(.max)),
        ("9223372036854775808", .unsigned(9_223_372_036_854_775_808)), ("18446744073709551616", .double(0x1p64)),
        ("0.1", .double(0.1)), ("1e300", .double(1e300)), ("1E+2", .double(100)), ("1e-999", .double(0)),
        ("true", .bool(true)), ("false", .bool(false)), (" \t\r\nnull ", .null), (#""""#, .string("")),
        (#""a\"\\\/\b\f\n\r\té""#, .string("a\"\\/\u{8}\u{c}\n\r\té")),
        (#""\ud83d\uDE00\u00e9\u0000""#, .string("😀é\u{0}")), (#""😀""#, .string("😀")),
        ("\"\u{2028}\u{7f}\"", .string("\u{2028}\u{7f}")), ("[]", .array([])), ("{ }", .object([])),
        ("[1, [2]]", .array([.integer(1), .array([.integer(2)])])),
        (#"{"b":1,"a":{"c":null}}"#, .object([.init("b", .integer(1)), .init("a", .object([.init("c", .null)]))])),
    ])
    func aValueReadsAsItIsSpelled(_ text: String, _ value: JSONValue) throws {
        #expect(try JSONReader.parse(text) == value)
    }

    @Test(arguments: [
        ("", JSONError.Reason.unexpectedEnd, 0), ("[1,", .unexpectedEnd, 3), ("{\"a\"", .unexpectedEnd, 4),
        ("\"a", .unexpectedEnd, 2), ("tru", .unexpectedEnd, 3), ("-", .unexpectedEnd, 1), ("1.", .unexpectedEnd, 2),
        ("[1,]", .unexpectedCharacter, 3), ("{a:1}", .unexpectedCharacter, 1), ("{\"a\":1,}", .unexpectedCharacter, 7),
        ("[1 2]", .unexpectedCharacter, 3), ("NaN", .unexpectedCharacter, 0), ("trux", .unexpectedCharacter, 3),
        ("'a'", .unexpectedCharacter, 0), ("// a", .unexpectedCharacter, 0), ("\u{feff}1", .unexpectedCharacter, 0),
        ("1 2", .trailingCharacters, 2), ("{}x", .trailingCharacters, 2), ("01", .malformedNumber, 1),
        ("-01", .malformedNumber, 2), ("+1", .unexpectedCharacter, 0), ("1.e3", .malformedNumber, 2),
        ("1ex", .malformedNumber, 2), (".5", .unexpectedCharacter, 0), ("1e999", .numberOutOfRange, 0),
        ("[-1e999]", .numberOutOfRange, 1), ("\"\u{1}\"", .malformedString, 1), ("\"\n\"", .malformedString, 1),
        (#""\x""#, .malformedString, 2), (#""\u12g4""#, .malformedString, 5), (#""\ud800""#, .malformedUnicode, 3),
        (#""\ud800\u0041""#, .malformedUnicode, 3), (#""\ud800\ud800""#, .malformedUnicode, 3),
        (#""\udc00""#, .malformedUnicode, 3),
    ])
    func whatRFC8259ForbidsIsRefusedWhereItStands(_ text: String, _ reason: JSONError.Reason, _ offset: Int) {
        #expect(throws: JSONError(reason, at: offset)) { try JSONReader.parse(text) }
    }

    @Test(
        arguments: [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf5, 0x80, 0x80, 0x80]] as [[UInt8]])
    func aStringThatIsNotUTF8IsRefused(_ bytes: [UInt8]) {
        #expect(throws: JSONError(.malformedUnicode, at: 1)) { try JSONReader.parse([0x22] + bytes + [0x22]) }
        #expect(throws: JSONError(.malformedUnicode, at: 1)) {
            try JSONReader.parse([0x22, 0x5c, 0x6e] + bytes + [0x22])
        }
    }

    @Test func nestingIsBounded() throws {
        let deepest = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(throws: Never.self) { try JSONReader.parse(deepest) }
        #expect(throws: JSONError(.tooDeep, at: 64)) { try JSONReader.parse("[\(deepest)]") }
        let hostile = String(repeating: #"{"a":"#, count: 100_000)
        #expect(throws: JSONError.self) { try JSONReader.parse(hostile, limits: .init(depth: .max)) }
    }

    @Test func sizeAndNumberOfValuesAreBounded() {
        #expect(throws: JSONError(.tooLarge, at: 3)) { try JSONReader.parse("[11]", limits: .init(bytes: 3)) }
        #expect(throws: JSONError(.tooManyValues, at: 3)) { try JSONReader.parse("[1,2]", limits: .init(values: 2)) }
        let digits = String(repeating: "9", count: 2_000)
        #expect(throws: JSONError(.numberOutOfRange, at: 0)) { try JSONReader.parse(digits) }
    }

    @Test func theLastOfEqualNamesCounts() throws {
        #expect(try JSONReader.parse(#"{"a":1,"a":2}"#)["a"] == .integer(2))
    }

    @Test func accessorsGiveNothingForAnotherType() throws {
        let value = try JSONReader.parse(#"{"s":"x","i":-1,"u":18446744073709551615,"d":1.5,"b":true,"a":[],"n":null}"#)
        #expect(value["s"]?.asString == "x" && value["i"]?.asString == nil)
        #expect(value["i"]?.asInt64 == -1 && value["i"]?.asUInt64 == nil && value["d"]?.asInt64 == nil)
        #expect(value["u"]?.asUInt64 == .max && value["u"]?.asInt64 == nil)
        #expect(value["d"]?.asDouble == 1.5 && value["i"]?.asDouble == -1 && value["s"]?.asDouble == nil)
        #expect(value["b"]?.asBool == true && value["a"]?.asArray == [] && value["n"]?.isNull == true)
        #expect(value["x"] == nil && JSONValue.null["x"] == nil)
    }

    @Test func noDamagedTextTraps() throws {
        let seed = Array(#"{"a":[1,-2.5e3,"xé\n\ud83d\ude00",null,true,{"b":18446744073709551615}]}"#.utf8)
        var random = SeededGenerator(seed: 11)
        for _ in 0..<20_000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
            }
            bytes.removeLast(Int.random(in: 0...8, using: &random))
            let ours = try? JSONReader.parse(bytes)
            // Foundation accepts more than RFC 8259, never less.
            if ours != nil {
                #expect(throws: Never.self) {
                    try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
                }
            }
        }
    }
}
