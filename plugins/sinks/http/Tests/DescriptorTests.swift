import SondeDomain
import SondeFormats
import SondePluginKit
import Testing

@testable import HTTPPlugin

/// What the plugin says of itself, and that it is true.
@Suite struct DescriptorTests {
    private let descriptor = HTTPSink.descriptor

    @Test func itIsADurableSink() {
        #expect(descriptor.name == "http")
        #expect(descriptor.kind == .sink)
        #expect(descriptor.delivery == .durable)
    }

    @Test func secretsAreMarked() {
        #expect(descriptor.options.filter(\.isSecret).map(\.key) == ["auth.bearer", "auth.basic.password"])
    }

    @Test func defaultsAreThoseOfTheCode() throws {
        let defaults = Dictionary(
            uniqueKeysWithValues: descriptor.options.compactMap { option in option.defaultText.map { (option.key, $0) }
            }
        )
        #expect(defaults["timeout"] == "\(Int(HTTPConfiguration.defaultTimeout.seconds))s")
        #expect(defaults["connect_timeout"] == "\(Int(HTTPConfiguration.defaultConnectTimeout.seconds))s")
        #expect(defaults["tls.min_version"] == TLSSettings().minimumVersion.rawValue)
        #expect(defaults["allow_insecure"] == "false")
    }

    @Test func everyCodeIsListedOnce() {
        let codes = descriptor.errors.map(\.code)
        #expect(Set(codes).count == codes.count)
        for fault in TransferFault.allCases { #expect(codes.contains(fault.rule.code)) }
        for refusal in Refusal.allCases { #expect(codes.contains(refusal.rawValue)) }
        for rule in StatusRule.all { #expect(codes.contains(StatusRule.code(of: rule.status))) }
    }

    @Test func everyErrorSaysWhatToDo() {
        for error in descriptor.errors {
            #expect(error.meaning.hasSuffix(".") && error.recovery.hasSuffix("."), "\(error.code)")
        }
    }

    @Test func pointsThatTheFormatLeavesOutAreReported() {
        #expect(HTTPSink.delivery(.init(lines: 1)) == .complete)
        let report = HTTPSink.delivery(.init(lines: 1, leftOut: 2, documentsLeftOut: 1))
        #expect(report.rejectedPoints == 3)
        #expect(!report.message.isEmpty)
    }
}
