import Foundation
import SondeTestKit

/// BIND, which logs to `q.log` and rolls it by itself every few hundred lines.
final class BIND: Resolver {
    let folder: LogFolder
    var port: UInt16 = 0
    var process: TestProcess?
    private var controlPort: UInt16 = 0

    static var isInstalled: Bool { ["named", "rndc", "dnsperf"].allSatisfy { TestProcess.path(of: $0) != nil } }

    private let dnstap: String

    /// Does not start it; `dnstap` are options to send it.
    init(_ folder: LogFolder, dnstap: String = "") {
        self.folder = folder
        self.dnstap = dnstap
    }

    func launch() throws -> TestProcess {
        controlPort = LoopbackPort.free()
        try folder.write(Self.zone, to: "zone")
        try folder.write(Self.key, to: "key")
        try folder.write(configuration, to: "named.conf")
        return try TestProcess("named", ["-f", "-n", "1", "-c", folder.file("named.conf")])
    }

    func isUp() throws -> Bool { try control("status").wait() == 0 }

    /// What it has counted, by the words of its statistics.
    func statistics() throws -> [String: UInt64] {
        try control("stats").wait()
        let text = try String(contentsOfFile: folder.file("named.stats"), encoding: .utf8)
        return text.split(separator: "\n").reduce(into: [:]) { numbers, line in
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2, let number = UInt64(words[0]) else { return }
            // The first of several: the server's own, before those of its views.
            let name = String(words[1])
            if numbers[name] == nil { numbers[name] = number }
        }
    }

    private func control(_ command: String) throws -> TestProcess {
        try TestProcess(
            "rndc", ["-s", "127.0.0.1", "-p", "\(controlPort)", "-k", folder.file("key"), command])
    }

    private static let key = """
        key "rndc-key" { algorithm hmac-sha256; secret "c29uZGVzb25kZXNvbmRlc29uZGVzb25kZTAxMjM0NTY="; };

        """

    private static let zone = """
        $TTL 60
        @ IN SOA ns hostmaster 1 60 60 60 60
        @ IN NS ns
        ns IN A 127.0.0.1
        a IN A 192.0.2.1
        b IN AAAA 2001:db8::1
        c IN TXT "text"

        """

    private var configuration: String {
        """
        include "\(folder.path)/key";
        options {
            directory "\(folder.path)"; pid-file "\(folder.path)/pid"; session-keyfile "\(folder.path)/session";
            statistics-file "\(folder.path)/named.stats"; managed-keys-directory "\(folder.path)";
            listen-on port \(port) { 127.0.0.1; }; listen-on-v6 { none; };
            recursion yes; forward only; forwarders { 127.0.0.1 port 1; }; dnssec-validation no;
            querylog yes; \(dnstap)
        };
        controls { inet 127.0.0.1 port \(controlPort) allow { 127.0.0.1; } keys { "rndc-key"; }; };
        logging {
            channel sonde {
                file "\(folder.path)/q.log" versions 60 size 40k;
                print-time yes; print-category yes; print-severity yes;
            };
            category queries { sonde; };
            category query-errors { sonde; };
            category lame-servers { sonde; };
        };
        zone "example" { type primary; file "\(folder.path)/zone"; };

        """
    }
}
