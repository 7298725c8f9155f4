import Testing

@testable import DNSLogPlugin

/// Forms of lines of BIND 9.18 that the recorded logs do not have, as it wrote them in a laboratory.
@Suite struct BINDVariantTests {
    private let signed = "22-Nov-2026 18:57:16.884 queries: info: client @0x7f 192.0.2.1#46353/key k1.lab (b.example): "

    @Test(arguments: [
        "query: b.example IN A +SE(0)TK (192.0.2.2)", "view v1: query: b.example IN A +SE(0)TK (192.0.2.2)",
        "view a b: query: b.example IN A +SE(0)TK (192.0.2.2)", "view  : query: b.example IN A +SE(0)TK (192.0.2.2)",
    ])
    func aSignedQueryOfBINDIsAQuery(_ rest: String) {
        let log = CountedLog([signed + rest])
        #expect(log.clients == ["192.0.2.1": 1] && log.names == ["b.example": 1] && log.transports == [.tcp: 1])
    }

    @Test func aLineThatEndsInTheNameOfAViewIsNoQuery() {
        let log = CountedLog(["view", "view ", "view a b", "view a b ", "view a b:"].map { signed + $0 })
        #expect(log.clients == [:])
    }

    @Test func theKeyOfASignedQueryMayStandApart() {
        let log = CountedLog(["client @0x7f 192.0.2.1#5 /key k1 (b.example): query: b.example IN A +S (192.0.2.2)"])
        #expect(log.clients == ["192.0.2.1": 1] && log.names == ["b.example": 1])
    }

    @Test func aSignedQueryOfBINDMayFail() {
        let log = CountedLog([
            "query-errors: info: client @0x7f 192.0.2.1#5/key k1 (b.example): view v1: "
                + "query failed (failure) for b.example/IN/A at query.c:1",
            "security: info: client @0x7f 192.0.2.1#6/key k1 (c.example): view v1: "
                + "query (cache) 'c.example/A/IN' denied (allow-query-cache did not match)",
            "update: info: client @0x7f 192.0.2.1#6/key k1: updating zone 'c.example/IN': adding an RR at 'a.c.example' A",
        ])
        #expect(log.codes == ["SERVFAIL": 1, "REFUSED": 1] && log.unparsed == 0)
    }

    private func refused(_ category: String, _ number: Int) -> String {
        let head = "\(category): info: client @0x7f 192.0.2.66#\(number) (x\(number).example): "
        return category == "security"
            ? head + "query (cache) 'x\(number).example/A/IN' denied (allow-query-cache did not match)"
            : head + "query failed (REFUSED) for x\(number).example/IN/A at query.c:5708"
    }

    @Test(arguments: [["security", "query-errors"], ["query-errors", "security"], ["security"], ["query-errors"]])
    func refusedQueriesOfBINDCountOnceHoweverFarApartTheirFilesAreRead(_ categories: [String]) {
        let files = categories.map { category in (0..<500).map { Array(refused(category, $0).utf8) } }
        let log = CountedLog(files)
        #expect(log.codes == ["REFUSED": 500])
        #expect(log.failingNames.count == 500)
    }
}
