import Glibc
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

/// What the environment may change: nothing unless configured.
///
/// Each test is its own process, because a process has one environment.
@Suite struct EnvironmentTests {
    @Test func proxiesAndLoginsOfTheEnvironmentAreIgnored() async {
        await #expect(processExitsWith: .success) {
            try FaultServer.run(Answer.status(204)) { proxy throws in
                try FaultServer.run(Answer.status(204)) { server in
                    let home = try TemporaryDirectory()
                    _ = try home.write(".netrc", "machine 127.0.0.1 login evil password evil\n")
                    setenv("HOME", home.path, 1)
                    for name in ["http_proxy", "all_proxy", "ALL_PROXY", "https_proxy"] { setenv(name, proxy.url, 1) }
                    #expect(try SinkDriver(server.url).deliver() == .completed)
                    #expect(server.requests.map { $0.header("Authorization") } == [nil])
                    #expect(server.requests.map(\.line) == ["POST /ingest HTTP/1.1"])
                    #expect(proxy.connectionCount == 0)
                }
            }
        }
    }

    @Test func theProxyOfTheEnvironmentIsUsedWhenAsked() async {
        await #expect(processExitsWith: .success) {
            try FaultServer.run(Answer.status(204)) { proxy throws in
                setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
                unsetenv("no_proxy")
                unsetenv("NO_PROXY")
                #expect(try SinkDriver("http://192.0.2.1/x", ["proxy": .string("env")]).deliver() == .completed)
                #expect(proxy.requests.map(\.line) == ["POST http://192.0.2.1/x HTTP/1.1"])
            }
        }
    }

    @Test func aProxyOfOurOwnIsUsedWhateverTheEnvironmentSays() async {
        await #expect(processExitsWith: .success) {
            try FaultServer.run(Answer.status(204)) { proxy throws in
                setenv("no_proxy", "*", 1)
                setenv("NO_PROXY", "*", 1)
                let options: [String: FakeHost.Option] = ["proxy": .string("http://127.0.0.1:\(proxy.port)")]
                #expect(try SinkDriver("http://192.0.2.1/x", options).deliver() == .completed)
                #expect(proxy.requests.count == 1)
            }
        }
    }
}
