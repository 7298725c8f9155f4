import SondeTestKit

/// unbound, which logs to `q.log` and sends dnstap to `tap`, as far as set in `extra`.
final class Unbound: Resolver {
    let folder: LogFolder
    var port: UInt16 = 0
    var process: TestProcess?
    private let extra: String

    static var isInstalled: Bool {
        ["unbound", "unbound-control", "dnsperf"].allSatisfy { TestProcess.path(of: $0) != nil }
    }

    /// Does not start it.
    init(_ folder: LogFolder, _ extra: String) {
        self.folder = folder
        self.extra = extra
    }

    func launch() throws -> TestProcess {
        try folder.write(configuration + extra + "\n", to: "unbound.conf")
        return try TestProcess("unbound", ["-d", "-c", folder.file("unbound.conf")])
    }

    func isUp() throws -> Bool { try control("status").wait() == 0 }

    /// Makes it reopen its log.
    func reopenLog() throws { try control("log_reopen").wait() }

    /// What it has counted.
    func statistics() throws -> [String: UInt64] {
        let child = try control("stats_noreset")
        child.wait()
        return child.output.numbers("=")
    }

    private func control(_ command: String) throws -> TestProcess {
        try TestProcess("unbound-control", ["-c", folder.file("unbound.conf"), command])
    }

    private var configuration: String {
        """
        server:
          interface: 127.0.0.1@\(port)
          access-control: 127.0.0.0/8 allow
          username: ""
          chroot: ""
          directory: "\(folder.path)"
          pidfile: "\(folder.path)/pid"
          use-syslog: no
          num-threads: 1
          extended-statistics: yes
          do-daemonize: no
          local-zone: "example." static
          local-data: "a.example. A 192.0.2.1"
          local-data: "b.example. AAAA 2001:db8::1"
          local-data: "c.example. TXT text"
          local-zone: "org." refuse
        remote-control:
          control-enable: yes
          control-interface: "\(folder.path)/control"
          control-use-cert: no

        """
    }
}
