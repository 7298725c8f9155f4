import Foundation
import SondeTestKit

/// Knot Resolver with the layer `kresd.lua`, which logs to standard error and so to `q.log`, and sends dnstap to `tap` if
/// that is there.
final class Kresd: Resolver {
    let folder: LogFolder
    var port: UInt16 = 0
    /// For DNS over TLS, and over HTTPS.
    private(set) var (tlsPort, httpsPort): (UInt16, UInt16) = (0, 0)
    var process: TestProcess?

    static var isInstalled: Bool { ["kresd", "dig", "dnsperf"].allSatisfy { TestProcess.path(of: $0) != nil } }

    /// Does not start it.
    init(_ folder: LogFolder) {
        self.folder = folder
    }

    func launch() throws -> TestProcess {
        (tlsPort, httpsPort) = (LoopbackPort.free(), LoopbackPort.free())
        try folder.write(configuration, to: "kresd.conf")
        let words = ["--noninteractive", "--config=\(folder.file("kresd.conf"))", folder.path]
        return try TestProcess("kresd", words, output: folder.file("q.log"))
    }

    /// Queries over TCP, so that what is counted over UDP is what a test has sent.
    func isUp() throws -> Bool {
        try answers(port, "+tcp")
    }

    /// Whether it answers at a port, over what an option of dig names.
    func answers(_ port: UInt16, _ transport: String) throws -> Bool {
        let words = "@127.0.0.1 -p \(port) \(transport) +tries=1 +time=1 +short a.example".split(separator: " ")
        let dig = try TestProcess("dig", words.map(String.init))
        return dig.wait() == 0 && dig.output.hasPrefix("192.0.2.1")
    }

    private static let layer = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../kresd.lua").standardized.path

    private var configuration: String {
        """
        net.listen('127.0.0.1', \(port), { kind = 'dns' })
        net.listen('127.0.0.1', \(tlsPort), { kind = 'tls' })
        net.listen('127.0.0.1', \(httpsPort), { kind = 'doh2' })
        log_target('stderr')
        cache.size = 10*MB
        modules = { 'policy' }
        trust_anchors.remove('.')
        local function answer(name, type, data)
            policy.add(policy.suffix(policy.ANSWER({ [type] = { rdata = data, ttl = 60 } }), policy.todnames({ name })))
        end
        answer('a.example', kres.type.A, kres.str2ip('192.0.2.1'))
        answer('b.example', kres.type.AAAA, kres.str2ip('2001:db8::1'))
        answer('c.example', kres.type.TXT, '\\4text')
        policy.add(policy.suffix(policy.DENY, policy.todnames({ 'none.example' })))
        policy.add(policy.all(policy.REFUSE))
        modules.load('dnstap')
        dnstap.config({ socket_path = '\(folder.path)/tap', client = { log_queries = true, log_responses = true } })
        dofile('\(Self.layer)')

        """
    }
}
