import Glibc
import SondeTestKit

/// dnsmasq, which logs to `q.log`.
final class Dnsmasq: Resolver {
    let folder: LogFolder
    var port: UInt16 = 0
    var process: TestProcess?
    private let logQueries: String

    static var isInstalled: Bool { ["dnsmasq", "dig", "dnsperf"].allSatisfy { TestProcess.path(of: $0) != nil } }

    /// Does not start it; `logQueries` is the line of its configuration.
    init(_ folder: LogFolder, logQueries: String) {
        self.folder = folder
        self.logQueries = logQueries
    }

    func launch() throws -> TestProcess {
        try folder.write(configuration, to: "dnsmasq.conf")
        return try TestProcess("dnsmasq", ["--keep-in-foreground", "--conf-file=\(folder.file("dnsmasq.conf"))"])
    }

    func isUp() throws -> Bool { try answeredLocally() != nil }

    /// Makes it reopen its log.
    func reopenLog() { process?.signal(SIGUSR2) }

    /// How many queries it has answered by itself, this one not counted; nil when it does not answer.
    func answeredLocally() throws -> UInt64? {
        let words = "@127.0.0.1 -p \(port) +short +tries=1 +time=2 chaos txt hits.bind".split(separator: " ")
        let dig = try TestProcess("dig", words.map(String.init))
        guard dig.wait() == 0, dig.output.hasPrefix("\"") else { return nil }
        return UInt64(dig.output.filter { $0.isNumber })
    }

    private var configuration: String {
        """
        port=\(port)
        listen-address=127.0.0.1
        bind-interfaces
        no-resolv
        no-hosts
        user=root
        pid-file=\(folder.path)/pid
        \(logQueries)
        log-facility=\(folder.path)/q.log
        local=/example/
        host-record=a.example,192.0.2.1
        host-record=b.example,2001:db8::1
        txt-record=c.example,text

        """
    }
}
