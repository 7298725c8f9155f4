/// When a receiver's certificate ends.
enum CertificateEnd {
    /// From how many days before it is reported; who renews by ACME does so a month before, and has failed since two weeks.
    static let warning: Int64 = 14

    /// Reads `Nov 26 08:30:00 2027 GMT`, as libcurl writes it (CURLOPT_CERTINFO); nil for anything else.
    static func seconds(_ text: some Sequence<UInt8>) -> Int64? {
        let zone = Array(" GMT".utf8)
        let text = Array(text)
        guard text.suffix(zone.count).elementsEqual(zone) else { return nil }
        // asctime's form but for the day's name, which need not be the right one.
        return HTTPDate(Array("Sun ".utf8) + text.dropLast(zone.count))?.seconds
    }

    /// How many whole days are left; nil: enough.
    static func daysLeft(until end: Int64, at now: Int64) -> Int64? {
        let days = max(0, (end - now) / 86_400)
        return days < warning ? days : nil
    }
}
