import SondeDomain
import SondeEngine
import Testing

@testable import SondeGateways

@Suite struct RemoteFetchTests {
    private static func answer(_ text: String) -> RemoteAnswer {
        RemoteFetch.answer(.init(output: Array(text.utf8), lastError: nil, status: 0), limit: 1_024)
    }

    private static func code(_ text: String) -> ErrorCode? {
        guard case .failed(let error) = answer(text) else { return nil }
        return error.code
    }

    @Test func aFileIsTakenWhole() {
        let answer = Self.answer("status 200\nresult new\nserial 7\nsize 11\netag \"a b\"\n\nserial: 7\n\n")
        guard case .file(let layer) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(layer == RemoteLayer(serial: 7, text: Array("serial: 7\n\n".utf8), etag: "\"a b\""))
    }

    @Test(arguments: [
        "", "\n", "result new\n", "result new\nserial 7\nsize 12\n\nserial: 7\n\n", "result new\nsize 1\n\nx",
        "result new\nserial -1\nsize 1\n\nx", "result new\nserial 99999999999999999999\nsize 1\n\nx",
        "result\n\n", "\0\0 \n\n", "result unknown\nmessage x\n\n",
    ])
    func whatIsCutOffOrUnknownIsNoFile(_ text: String) {
        #expect(Self.code(text) == .remoteUnreachable)
    }

    @Test(arguments: [
        ("denied", ErrorCode.remoteAccessRefused), ("wrong", .remoteAddressWrong), ("untrusted", .remoteUntrusted),
        ("oversized", .remoteTooLarge), ("unsigned", .remoteUnsigned), ("library", .remoteProgramMissing),
        ("unreachable", .remoteUnreachable),
    ])
    func eachResultHasACode(_ result: String, _ code: ErrorCode) {
        #expect(Self.code("result \(result)\nmessage x\n\n") == code)
    }

    @Test func theServersWishToWaitIsKept() {
        guard case .failed(let error) = Self.answer("retry_after 120\nresult unreachable\nmessage x\n\n") else {
            Issue.record("no failure")
            return
        }
        #expect(error.retryAfter == .seconds(120))
    }
}
