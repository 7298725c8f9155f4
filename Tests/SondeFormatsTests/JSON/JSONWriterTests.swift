import SondeFormats
import SondeTestKit
import Testing

struct JSONWriterTests {
    @Test func commasStandBetweenValuesOnly() {
        var json = JSONWriter()
        json.object { json in
            json.member("a", 1)
            json.member("b", [true, false])
            json.member("c") { json in
                json.array { json in
                    json.object { _ in }
                    json.null()
                    json.raw(Array("{\"x\":1}".utf8))
                }
            }
            json.member("d", [] as [String])
            json.member("e", nil as Double?)
        }
        let text = String(decoding: json.bytes, as: UTF8.self)
        #expect(text == #"{"a":1,"b":[true,false],"c":[{},null,{"x":1}],"d":[],"e":null}"#)
    }

    @Test func whatIsNoNumberBecomesNull() {
        var json = JSONWriter()
        json.value([Double.nan, .infinity, 0.1, 1e300, -0.0])
        #expect(String(decoding: json.bytes, as: UTF8.self) == "[null,null,0.1,1e+300,-0.0]")
    }

    @Test func whatIsWrittenReadsBackTheSame() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<500 {
            let value = Self.anyValue(depth: 3, &random)
            var json = JSONWriter()
            json.value(value)
            #expect(try JSONReader.parse(json.bytes) == value)
        }
    }

    @Test func everyFiniteDoubleReadsBackTheSame() throws {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<5_000 {
            let value = Double(bitPattern: random.next())
            guard value.isFinite else { continue }
            var json = JSONWriter()
            json.value(value)
            #expect(try JSONReader.parse(json.bytes).asDouble == value)
        }
    }

    private static func anyValue(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .integer(.random(in: .min ... .max, using: &random))
        case 3: return .unsigned(.random(in: 0x8000_0000_0000_0000 ... .max, using: &random))
        case 4: return .double(.random(in: -1e9...1e9, using: &random))
        case 5: return .string(random.text())
        case 6: return .array((0..<3).map { _ in anyValue(depth: depth - 1, &random) })
        default:
            return .object((0..<3).map { _ in .init(random.text(), anyValue(depth: depth - 1, &random)) })
        }
    }
}
