import SondeDomain
import SondeFormats
import Testing

@testable import SondeGateways

@Suite struct ControlDispatcherTests {
    private final class EchoHandler: ControlHandler {
        let request = "echo"
        let permission = ControlPermission.read

        func answer(_ arguments: JSONValue) throws(SondeError) -> ControlAnswer {
            guard let text = arguments["text"]?.asString else {
                throw SondeError(ErrorCode("SND-TST001"), stage: .control, class: .configuration, message: "no text")
            }
            return ControlAnswer("echo") { $0.value(text) }
        }
    }

    private let dispatcher = ControlDispatcher([EchoHandler()])

    private func answer(_ line: String) throws -> JSONValue {
        let bytes = try #require(dispatcher.answer(.whole(Array(line.utf8))))
        #expect(bytes.last == 0x0a)
        #expect(bytes.count { $0 == 0x0a } == 1)
        return try JSONReader.parse(bytes)
    }

    @Test func aHandlerGetsTheOtherMembersOfTheRequest() throws {
        let answer = try answer(#"{"request":"echo","text":"a\nb","more":[1]}"#)
        #expect(answer["ok"] == .bool(true))
        #expect(answer["echo"] == .string("a\nb"))
    }

    @Test func whatAHandlerThrowsIsAnErrorObject() throws {
        let answer = try answer(#"{"request":"echo"}"#)
        #expect(answer["ok"] == .bool(false))
        #expect(answer["error"]?["code"] == .string("SND-TST001"))
        #expect(answer["error"]?["class"] == .string("configuration"))
        #expect(answer["error"]?["message"] == .string("no text"))
    }

    @Test(arguments: [
        "x", "{", "[]", "1", "null", "{}", #"{"request":1}"#, #"{"request":null}"#, #"{"request":"echo"} {}"#,
        String(repeating: "[", count: 60_000), "\u{0}", "{\"request\":\"\\ud800\"}",
        "[\(String(repeating: "1,", count: 2_000))1]",
    ])
    func aLineThatIsNoRequestIsMalformed(_ line: String) throws {
        #expect(try answer(line)["error"]?["code"] == .string("SND-CTL004"))
    }

    @Test func bytesThatAreNotTextAreMalformed() throws {
        let bytes = try #require(dispatcher.answer(.whole(Array(#"{"request":""#.utf8) + [0xff, 0xfe, 0x22, 0x7d])))
        #expect(try JSONReader.parse(bytes)["error"]?["code"] == .string("SND-CTL004"))
    }

    @Test func anUnknownRequestIsToldWhatThereIsAndNotShownWhole() throws {
        let name = String(repeating: "é", count: 20_000)
        let error = try answer("{\"request\":\"\(name)\"}")["error"]
        #expect(error?["code"] == .string("SND-CTL005"))
        let message = try #require(error?["message"]?.asString)
        #expect(message.hasSuffix("there are: echo"))
        #expect(message.utf8.count < 200)
    }

    @Test func aLineThatIsTooLongIsToldSo() throws {
        let bytes = try #require(dispatcher.answer(.tooLong))
        #expect(try JSONReader.parse(bytes)["error"]?["code"] == .string("SND-CTL006"))
    }

    @Test(arguments: ["", " ", "\r", "\t \r"])
    func anEmptyLineAsksNothing(_ line: String) {
        #expect(dispatcher.answer(.whole(Array(line.utf8))) == nil)
    }
}

extension ControlDispatcher {
    /// The answer to a line, from any handler; nil: the line is no request, or subscribes.
    func answer(_ line: ControlLineBuffer.Line) -> [UInt8]? {
        switch reply(to: line) {
        case .ready(let bytes): bytes
        case .later(let work): work()
        case .subscribe, nil: nil
        }
    }
}
