import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import KafkaPlugin

/// Options that are refused before anything is done.
@Suite struct KafkaConfigurationTests {
    typealias Options = [String: FakeHost.Option]

    private static let password: Options = ["sasl.username": .string("sonde"), "sasl.password": .string("p")]

    private func expectRefusal(_ options: Options, _ code: String, _ path: String) {
        let error = #expect(throws: PluginError.self, "\(options)") {
            _ = try SinkDriver.create(["127.0.0.1:1"], options)
        }
        #expect(error?.code == code, "\(options)")
        #expect(error?.failureClass == .configuration)
        #expect(error?.optionPath == path, "\(options) \(String(describing: error))")
    }

    @Test(arguments: [
        [], [""], ["a b:9092"], ["kafka:0"], ["kafka:70000"], ["kafka:port"], ["ssl://kafka:9092"], ["a:1,b:2"],
        ["kafka:9092\n"],
    ])
    func brokersThatAreNoneAreRefused(_ brokers: [String]) {
        expectRefusal(["brokers": .list(brokers)], "SND-KAF020", "brokers")
    }

    @Test(arguments: [["kafka"], ["kafka:9092", "10.0.0.1:9093"], ["[::1]:9092"], ["[::1]"]])
    func brokersThatAreSomeAreTaken(_ brokers: [String]) throws {
        _ = try SinkDriver.create(brokers)
    }

    @Test(arguments: ["", ".", "..", "a b", "a/b", "ü", String(repeating: "a", count: 250)])
    func aTopicThatIsNoneIsRefused(_ topic: String) {
        expectRefusal(["topic": .string(topic)], "SND-KAF020", "topic")
    }

    @Test func aClientOfAnUnusualNameIsRefused() {
        expectRefusal(["client_id": .string("")], "SND-KAF020", "client_id")
        expectRefusal(["client_id": .string("a\nb")], "SND-KAF020", "client_id")
    }

    @Test func credentialsThatDoNotFitEachOtherAreRefused() throws {
        let directory = try TemporaryDirectory()
        let empty = try directory.write("empty", "\n")
        let plain: Options = ["sasl.mechanism": .string("PLAIN"), "allow_insecure": .bool(true)]
        let cases: [(Options, String)] = [
            (Self.password, "sasl.mechanism"),
            (plain.merging(["sasl.password": .string("p")]) { $1 }, "sasl.username"),
            (plain.merging(["sasl.username": .string("u")]) { $1 }, "sasl.password"),
            (
                plain.merging(Self.password.merging(["sasl.password_file": .string(empty)]) { $1 }) { $1 },
                "sasl.password_file"
            ),
            (
                plain.merging(["sasl.username": .string("u"), "sasl.password_file": .string(empty)]) { $1 },
                "sasl.password_file"
            ),
            (
                plain.merging(["sasl.username": .string("u"), "sasl.password_file": .string("/nowhere")]) { $1 },
                "sasl.password_file"
            ),
            (plain.merging(["sasl.username": .string("u"), "sasl.password": .string("")]) { $1 }, "sasl.password"),
            (plain.merging(["sasl.username": .string("u"), "sasl.password": .string("a\0b")]) { $1 }, "sasl.password"),
        ]
        for (options, path) in cases { expectRefusal(options, "SND-KAF022", path) }
    }

    @Test(arguments: ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"])
    func credentialsWithoutTLSAreRefused(_ mechanism: String) throws {
        let options = Self.password.merging(["sasl.mechanism": .string(mechanism)]) { $1 }
        expectRefusal(options, "SND-KAF022", "sasl.mechanism")
        _ = try SinkDriver.create(["127.0.0.1:1"], options.merging(["allow_insecure": .bool(true)]) { $1 })
        _ = try SinkDriver.create(["127.0.0.1:1"], options.merging(["tls.enabled": .bool(true)]) { $1 })
    }

    @Test func filesOfTLSThatDoNotFitEachOtherAreRefused() throws {
        let authority = try CertificateAuthority()
        let one = try authority.issue("one", for: "DNS:one.example")
        let two = try authority.issue("two", for: "DNS:two.example")
        let directory = try TemporaryDirectory()
        let text = try directory.write("text.pem", "this is no certificate\n")
        let cases: [(Options, String)] = [
            (["tls.ca_file": .string("/nowhere")], "tls.ca_file"),
            (["tls.ca_file": .string(directory.path)], "tls.ca_file"),
            (["tls.ca_file": .string(text)], "tls.ca_file"),
            (["tls.key_file": .string(one.key)], "tls.cert_file"),
            (["tls.cert_file": .string(text), "tls.key_file": .string(one.key)], "tls.cert_file"),
            (["tls.cert_file": .string(one.certificate)], "tls.key_file"),
            (["tls.cert_file": .string(one.certificate), "tls.key_file": .string(text)], "tls.key_file"),
            (["tls.enabled": .bool(false), "tls.ca_file": .string(authority.file)], "tls.enabled"),
        ]
        for (options, path) in cases { expectRefusal(options, "SND-KAF021", path) }
        #expect(throws: PluginError.self) {
            _ = try SinkDriver.create(
                ["127.0.0.1:1"], ["tls.cert_file": .string(one.certificate), "tls.key_file": .string(two.key)])
        }
        _ = try SinkDriver.create(
            ["127.0.0.1:1"], ["tls.cert_file": .string(one.certificate), "tls.key_file": .string(one.key)])
    }

    @Test func readmeAndSampleSayWhatTheCodeDoes() throws {
        let folder = Fixtures.directory + "/../.."
        let readme = try Fixtures.contents(of: folder + "/README.md")
        let sample = try Fixtures.contents(of: folder + "/sample.yaml")
        #expect(PluginReadme().showsSample)
        for option in KafkaSink.descriptor.options {
            let leaf = option.key.split(separator: ".").last.map(String.init) ?? option.key
            #expect(sample.contains("\(leaf):"), "\(option.key)")
            #expect(readme.contains("| `\(option.key)` |"), "\(option.key)")
            #expect(
                PluginReadme().defaultText(of: option.key) == option.documentedDefault || option.isRequired,
                "\(option.key)")
        }
        for error in KafkaSink.descriptor.errors {
            #expect(readme.contains("| `\(error.code)` | \(error.meaning) | \(error.recovery) |"), "\(error.code)")
        }
    }
}
