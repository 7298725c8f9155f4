import SondeTestKit

/// PowerDNS Recursor, which logs to standard error and so to `q.log`.
final class PowerDNS: Resolver {
    let folder: LogFolder
    var port: UInt16 = 0
    var process: TestProcess?
    private let structured: String

    static var isInstalled: Bool {
        ["pdns_recursor", "rec_control", "dnsperf"].allSatisfy { TestProcess.path(of: $0) != nil }
    }

    /// Does not start it; `structured` is `yes` or `no`.
    init(_ folder: LogFolder, structured: String) {
        self.folder = folder
        self.structured = structured
    }

    func launch() throws -> TestProcess {
        try folder.write(Self.zone, to: "zone")
        try folder.write(configuration, to: "recursor.conf")
        return try TestProcess("pdns_recursor", ["--config-dir=\(folder.path)"], output: folder.file("q.log"))
    }

    func isUp() throws -> Bool { try control("ping").wait() == 0 }

    /// What it has counted.
    func statistics() throws -> [String: UInt64] {
        let child = try control("get-all")
        child.wait()
        return child.output.numbers("\t")
    }

    private func control(_ command: String) throws -> TestProcess {
        try TestProcess("rec_control", ["--socket-dir=\(folder.path)", "--timeout=2", command])
    }

    private static let zone = """
        $TTL 60
        @ IN SOA ns hostmaster 1 60 60 60 60
        @ IN NS ns
        a IN A 192.0.2.1
        b IN AAAA 2001:db8::1
        c IN TXT "text"

        """

    private var configuration: String {
        """
        socket-dir=\(folder.path)
        local-address=127.0.0.1:\(port)
        quiet=no
        loglevel=6
        log-common-errors=yes
        structured-logging=\(structured)
        disable-syslog=yes
        daemon=no
        write-pid=no
        threads=1
        dnssec=off
        dont-query=
        hint-file=no
        auth-zones=example=\(folder.path)/zone
        forward-zones=.=127.0.0.1:1

        """
    }
}
