import Foundation
import HTTPPlugin
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import HTTPPlugin

/// Connecting without sending, to real servers.
@Suite(
    .enabled(
        if: TestProcess.path(of: "openssl") != nil && TestProcess.path(of: "nginx") != nil,
        "openssl or nginx is not installed"))
struct ProbeTests {
    private let authority: CertificateAuthority

    init() throws {
        authority = try CertificateAuthority()
    }

    private func probe(_ url: String, _ options: [String: FakeHost.Option] = [:]) throws -> PluginError? {
        let harness = try SinkDriver.create(url, options)
        harness.host.wallTime = Timestamp(seconds: Int64(Date().timeIntervalSince1970))
        return try onPluginThread {
            do {
                try harness.probe(timeout: .seconds(20))
                return nil
            } catch let error as PluginError {
                return error
            }
        }
    }

    @Test func aReceiverIsReachedAndGetsNothing() throws {
        let identity = try authority.issue("good", for: "IP:127.0.0.1", from: "20200101000000Z", to: "20990101000000Z")
        let receiver = try NginxReceiver(
            tls: ["ssl_certificate \(identity.certificate);", "ssl_certificate_key \(identity.key);"])
        defer { receiver.end() }
        let options: [String: FakeHost.Option] = ["tls.ca_file": .string(authority.file)]
        let reached = try probe(receiver.url("https"), options)
        #expect(reached == nil, "\(reached?.message ?? "")")
        #expect(try probe(receiver.url("https"))?.code == "SND-TLS003")
        let sink = try SinkDriver(receiver.url("https"), options)
        #expect(try sink.deliver() == .completed)
        #expect(try receiver.entries(1).count == 1)
    }

    @Test func whatDoesNotListenIsSaid() throws {
        #expect(try probe("http://127.0.0.1:1/")?.code == "SND-CRL003")
        #expect(try probe("http://name.invalid/")?.code == "SND-CRL001")
    }

    @Test(arguments: [(3, true), (20, false)])
    func aCertificateThatEndsSoonIsSaid(_ days: Int, _ isSaid: Bool) throws {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "UTC")
        format.dateFormat = "yyyyMMddHHmmss'Z'"
        let end = Date().addingTimeInterval(Double(days) * 86_400 + 3_600)
        let identity = try authority.issue(
            "ending", for: "IP:127.0.0.1", from: "20200101000000Z", to: format.string(from: end))
        let receiver = try NginxReceiver(
            tls: ["ssl_certificate \(identity.certificate);", "ssl_certificate_key \(identity.key);"])
        defer { receiver.end() }
        let error = try probe(receiver.url("https"), ["tls.ca_file": .string(authority.file)])
        #expect(error?.code == (isSaid ? "SND-TLS006" : nil))
        #expect(error.map { $0.message.contains("ends in \(days) days") } ?? true)
    }

    @Test(arguments: [
        ("Nov 26 08:30:00 2027 GMT", 1_827_217_800), ("Nov  6 08:30:00 2027 GMT", 1_825_489_800),
        ("Nov 26 08:30:00 2027", nil), ("soon GMT", nil), ("", nil),
    ])
    func endsAreReadAsLibcurlWritesThem(_ text: String, _ seconds: Int64?) {
        #expect(CertificateEnd.seconds(text.utf8) == seconds)
    }
}
