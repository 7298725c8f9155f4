import SondeDomain
import Testing

@testable import SondeWeb

@Suite struct WebArgumentsTests {
    @Test func everyOptionIsRead() throws {
        let arguments = try WebArguments([
            "--listen=[::1]:1", "--host", "a", "--host=b", "--tls-certificate", "c", "--tls-key", "k", "--token-file",
            "t",
            "--socket", "s", "-c", "f",
        ])
        #expect(arguments.listen == "[::1]:1")
        #expect(arguments.hosts == ["a", "b"])
        #expect(arguments.certificate == "c")
        #expect(arguments.key == "k")
        #expect(arguments.tokenFile == "t")
        #expect(arguments.socket == "s")
        #expect(arguments.configuration == "f")
    }

    @Test(arguments: [["x"], ["--listen"], ["--listen="], ["--what", "x"], ["-x"]])
    func whatIsNoOptionIsRefused(_ words: [String]) {
        #expect(throws: WebArguments.Flaw.self) { try WebArguments(words) }
    }

    private func settings(_ words: [String], token: String? = nil) throws -> WebSettings {
        try WebSettings(WebArguments(words), token: token.map { Array($0.utf8) }, sockets: [])
    }

    @Test func withoutOptionsItListensHereAndMakesAToken() throws {
        let settings = try settings([])
        #expect(settings.listen.text == "127.0.0.1:8787")
        #expect(settings.names == ["127.0.0.1", "localhost"])
        #expect(settings.link(port: 8_787) == "http://127.0.0.1:8787/#token=\(settings.token.text)")
        guard case .isFree = settings.rules.looking else { return #expect(Bool(false), "looking is free") }
    }

    @Test func aTokenThatIsGivenIsInNoLinkAndNeededToLook() throws {
        let settings = try settings(["--listen", "[::1]:1"], token: "correct-horse-battery")
        #expect(settings.link(port: 1) == "http://[::1]:1/")
        guard case .needsToken = settings.rules.looking else { return #expect(Bool(false), "looking needs it") }
    }

    @Test(arguments: [
        ("0.0.0.0", ["b.example", "a.example"], "b.example:1"), ("192.0.2.1", ["b.example"], "b.example:1"),
        ("192.0.2.1", ["[2001:db8::1]"], "[2001:db8::1]:1"), ("192.0.2.1", [], "192.0.2.1:1"),
        ("[::]", [], "[::]:1"), ("127.0.0.1", ["b.example"], "127.0.0.1:1"),
    ])
    func theLinkHasTheFirstNameForOthers(_ listen: String, _ hosts: [String], _ link: String) throws {
        let tls = ["--tls-certificate", "c", "--tls-key", "k"]
        let words = ["--listen", listen] + tls + hosts.flatMap { ["--host", $0] }
        #expect(try settings(words, token: "correct-horse-battery").link(port: 1) == "https://\(link)/")
    }

    @Test(arguments: ["0.0.0.0:1", "192.0.2.1", "[::]:1", "[2001:db8::1]:8787"])
    func otherAddressesNeedTLSAndAToken(_ address: String) throws {
        let tls = ["--tls-certificate", "c", "--tls-key", "k"]
        for (words, token) in [([], nil), (tls, nil), ([], "correct-horse-battery")] as [([String], String?)] {
            do {
                _ = try settings(["--listen", address] + words, token: token)
                #expect(Bool(false), "\(address) \(words)")
            } catch let error as SondeError {
                #expect(error.code == .webNotProtected)
            }
        }
        #expect(
            try settings(["--listen", address] + tls, token: "correct-horse-battery").link(port: 1).hasPrefix(
                "https://"))
    }

    @Test(arguments: [
        ["--listen", "example.net:1"], ["--listen", ":1"], ["--host", "a:1"], ["--host", "a b"], ["--tls-key", "k"],
        ["--tls-certificate", "c"],
    ])
    func valuesThatMeanNothingAreRefused(_ words: [String]) throws {
        do {
            _ = try settings(words)
            #expect(Bool(false), "\(words)")
        } catch let error as SondeError {
            #expect(error.code == .webArgumentInvalid)
        }
    }
}
