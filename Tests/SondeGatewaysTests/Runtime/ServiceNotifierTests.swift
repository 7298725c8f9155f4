import Glibc
import SondeDomain
import SondeTestKit
import Testing

@testable import SondeGateways

@Suite struct ServiceNotifierTests {
    @Test(arguments: [
        (["WATCHDOG_USEC": "4000000"], Nanoseconds.seconds(2)),
        (["WATCHDOG_USEC": "4000000", "WATCHDOG_PID": "\(getpid())"], .seconds(2)),
        (["WATCHDOG_USEC": "4000000", "WATCHDOG_PID": "1"], .seconds(30)),
        (["WATCHDOG_USEC": "600000000"], .seconds(30)),
        (["WATCHDOG_USEC": "9223372036854775807"], .seconds(30)),
        (["WATCHDOG_USEC": "2"], .milliseconds(100)),
        (["WATCHDOG_USEC": "0"], .seconds(30)),
        (["WATCHDOG_USEC": "soon"], .seconds(30)),
        ([:], .seconds(30)),
    ])
    func itSaysThatItIsAliveInHalfTheTime(_ environment: [String: String], _ period: Nanoseconds) {
        let whole = environment.merging(["NOTIFY_SOCKET": "/run/notify"]) { $1 }
        #expect(ServiceNotifier(environment: FakeEnvironmentReader(whole)).period == period)
    }

    @Test func withoutAManagerItSaysNothing() {
        #expect(ServiceNotifier(environment: FakeEnvironmentReader(["WATCHDOG_USEC": "4000000"])).period == nil)
    }
}
