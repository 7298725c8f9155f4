import SondeDomain
import SondeFormats
import SondePluginKit
import Testing

@testable import HTTPPlugin

/// The plugin's descriptor, and that it is true.
@Suite struct DescriptorTests {
    private let descriptor = HTTPSink.descriptor

    @Test func itIsADurableSink() {
        #expect(descriptor.name == "http")
        #expect(descriptor.kind == .sink)
        #expect(descriptor.delivery == .durable)
    }

    @Test func secretsAreMarked() {
        #expect(
            descriptor.options.filter(\.isSecret).map(\.key) == [
                "auth.bearer", "auth.basic.password", "auth.oauth2.client_secret",
            ])
    }

    @Test func defaultsAreThoseOfTheCode() throws {
        let defaults = Dictionary(
            uniqueKeysWithValues: descriptor.options.compactMap { option in option.defaultText.map { (option.key, $0) }
            }
        )
        #expect(defaults["timeout"] == "\(Int(TransportSettings.defaultTimeout.seconds))s")
        #expect(defaults["connect_timeout"] == "\(Int(TransportSettings.defaultConnectTimeout.seconds))s")
        #expect(defaults["tls.min_version"] == TLSSettings().minimumVersion.rawValue)
        #expect(defaults["allow_insecure"] == "false")
        #expect(defaults["format"] == Profile.all[0].format)
        #expect(defaults["version"] == ProfileSettings().version.rawValue)
        #expect(defaults["job"] == ProfileSettings().target.job)
        #expect(defaults["instance"] == ProfileSettings().target.instance.rawValue)
    }

    @Test func everyCodeIsListedOnce() {
        let codes = descriptor.errors.map(\.code)
        #expect(Set(codes).count == codes.count)
        for fault in TransferFault.allCases { #expect(codes.contains(fault.rule.code)) }
        for refusal in Refusal.allCases { #expect(codes.contains(refusal.rawValue)) }
        for rule in (StatusRule.common + Profile.all.flatMap(\.rules)) where rule.statuses.count == 1 {
            #expect(codes.contains(StatusRule.code(of: rule.statuses.lowerBound)))
        }
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
