import Testing

@testable import DNSLogPlugin

/// Forms of lines of PowerDNS Recursor that the recorded logs do not have, as it wrote them in a laboratory.
@Suite struct PowerDNSVariantTests {
    @Test(arguments: ["", ", dnssec=Indeterminate", ", dnssec=Secure"])
    func anAnswerOfPowerDNSMaySayWhatDNSSECFound(_ state: String) {
        let tail =
            "': 0 answers, 1 additional, took 2 packets, 0.106 netw ms, 0.298 tot ms, 0 throttled, 0 timeouts, "
            + "0/0 tcp/dot connections, rcode=2"
        let log = CountedLog([
            "Nov 22 18:58:07 1 [1/1] question for 'sf.example|A' from 192.0.2.1:5",
            "Nov 22 18:58:07 1 [1/1] answer to question 'sf.example|A\(tail)\(state)",
            "Nov 22 18:58:07 1 [1/1] answer to non-rd question 'sf.example|A\(tail)\(state)",
        ])
        #expect(log.codes == ["SERVFAIL": 2] && log.latencies == 2 && log.unparsed == 0)
    }
}
