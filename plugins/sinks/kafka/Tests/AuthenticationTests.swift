import Glibc
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import KafkaPlugin

extension ClusterTests {
    /// TLS and SASL against a broker that refuses the agent in the end.
    @Suite(
        .enabled(
            if: TestProcess.path(of: "openssl") != nil && TestProcess.path(of: "python3") != nil,
            "openssl or python3 is not installed"))
    struct AuthenticationTests {
        private static let canary = "canary-4711-sesame"
        private static let login: [String: FakeHost.Option] = [
            "sasl.mechanism": .string("PLAIN"), "sasl.username": .string("sonde"), "sasl.password": .string(canary),
            "allow_insecure": .bool(true), "connect_timeout": .duration(.seconds(2)),
        ]

        @Test func aRefusedPasswordIsAConfigurationErrorThatDoesNotShowIt() throws {
            let broker = try RefusingBroker()
            let sink = try SinkDriver([broker.address], Self.login)
            let error = try sink.failure(.sample())
            #expect(error.code == "SND-KAF006", "\(error)")
            #expect(error.failureClass == .accessRefused)
            #expect(error.message.contains("wrong password '***'"), "\(error.message)")
            #expect(!error.message.contains("\u{1b}"))
            let said = [UInt8]("\0sonde\0\(Self.canary)".utf8).map {
                $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16)
            }
            #expect(broker.exchanges.first.map(String.init) == said.joined())
            let log = sink.harness.host.log.joined(separator: "\n")
            #expect(!log.contains(Self.canary), "\(log)")
        }

        /// A wrong password that is tried all the time may lock the user.
        @Test func aProbeReachesACluster() throws {
            let cluster = try MockCluster()
            #expect(try SinkDriver.create(cluster.brokers).probe() == .completed)
        }

        @Test func aProbeSaysWhyThereIsNoWay() throws {
            let broker = try RefusingBroker()
            let refused = #expect(throws: PluginError.self) {
                try SinkDriver.create([broker.address], Self.login).probe()
            }
            #expect(refused?.code == "SND-KAF006")
            let unreachable = #expect(throws: PluginError.self) { try SinkDriver.create().probe() }
            #expect(unreachable?.code == "SND-KAF001", "\(unreachable?.message ?? "")")
        }

        @Test func aClientThatIsRefusedIsGone() throws {
            let broker = try RefusingBroker()
            let sink = try SinkDriver([broker.address], Self.login)
            #expect(try sink.failure(.sample()).code == "SND-KAF006")
            let count = broker.exchanges.count
            // librdkafka may connect once more before its first refusal is seen.
            #expect((1...2).contains(count))
            usleep(1_500_000)
            #expect(broker.exchanges.count == count)
            #expect(try sink.failure(.sample(attempt: 1)).code == "SND-KAF006")
            #expect(broker.exchanges.count > count)
        }

        @Test func aPasswordFileIsReadByEachClient() throws {
            let broker = try RefusingBroker()
            let directory = try TemporaryDirectory()
            var options = Self.login
            options["sasl.password"] = nil
            options["sasl.password_file"] = .string(try directory.write("password", "first\n"))
            let sink = try SinkDriver([broker.address], options)
            #expect(try sink.failure(.sample()).code == "SND-KAF006")
            _ = try directory.write("password", "second\n")
            let error = try sink.failure(.sample(attempt: 1))
            #expect(error.message.contains("'***'"), "\(error.message)")
            #expect(broker.exchanges.last?.hasSuffix("7365636f6e64") == true)
            try directory.remove("password")
            #expect(try sink.failure(.sample(attempt: 2)).code == "SND-KAF022")
        }

        @Test func aBrokerThatTheAuthorityVouchesForGetsToThePassword() throws {
            let authority = try CertificateAuthority()
            let identity = try authority.issue("good", for: "IP:127.0.0.1")
            let broker = try RefusingBroker([identity.certificate, identity.key, authority.file])
            let own = try authority.issue("agent", for: "DNS:agent.example")
            var options = Self.login.merging([
                "tls.ca_file": .string(authority.file), "tls.cert_file": .string(own.certificate),
                "tls.key_file": .string(own.key),
            ]) { $1 }
            options["allow_insecure"] = nil
            #expect(try SinkDriver([broker.address], options).failure(.sample()).code == "SND-KAF006")
            options["tls.cert_file"] = nil
            options["tls.key_file"] = nil
            let error = try SinkDriver([broker.address], options).failure(.sample())
            #expect(error.code == "SND-KAF007", "\(error)")
            #expect(error.failureClass == .configuration)
        }

        @Test(arguments: ["IP:127.0.0.2", "DNS:other.example"])
        func aCertificateForAnotherNameIsRefused(_ name: String) throws {
            let authority = try CertificateAuthority()
            let identity = try authority.issue("other", for: name)
            let broker = try RefusingBroker([identity.certificate, identity.key])
            let error = try SinkDriver(
                [broker.address], Self.login.merging(["tls.ca_file": .string(authority.file)]) { $1 }
            ).failure(.sample())
            #expect(error.code == "SND-KAF007", "\(error)")
            #expect(error.failureClass == .configuration)
            #expect(broker.exchanges == [])
        }

        @Test func aBrokerThatNobodyVouchesForIsRefused() throws {
            let authority = try CertificateAuthority()
            let identity = try authority.issue("unknown", for: "IP:127.0.0.1")
            let broker = try RefusingBroker([identity.certificate, identity.key])
            let error = try SinkDriver([broker.address], Self.login.merging(["tls.enabled": .bool(true)]) { $1 })
                .failure(.sample())
            #expect(error.code == "SND-KAF007", "\(error)")
            #expect(error.failureClass == .configuration)
            #expect(broker.exchanges == [])
        }

        @Test func aPortWithoutTLSIsAConfigurationErrorTheThirdTime() throws {
            let cluster = try MockCluster()
            let options: [String: FakeHost.Option] = [
                "tls.enabled": .bool(true), "timeout": .duration(.seconds(2)),
                "connect_timeout": .duration(.seconds(1)),
            ]
            let sink = try SinkDriver(cluster, options)
            let errors = try (0..<3).map { try sink.failure(.sample(attempt: $0)) }
            #expect(errors.map(\.code) == ["SND-KAF007", "SND-KAF007", "SND-KAF007"], "\(errors)")
            #expect(errors.last?.failureClass == .configuration)
        }
    }
}
