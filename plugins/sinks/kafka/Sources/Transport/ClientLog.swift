internal import CKafka
internal import SondeDomain
internal import SondePluginKit

/// Passes librdkafka's own log on to the agent's, a few lines a minute.
///
/// What a delivery fails with is its error; these lines say what the client does meanwhile.
struct ClientLog {
    private static let linesPerMinute = 10

    private let log: PluginLogger
    private let mask: SecretMask
    private var minute: Int64 = .min
    private var lines = 0
    private var suppressed = 0

    /// A log that hides `secrets`.
    init(_ log: PluginLogger, hiding secrets: [Secret]) {
        self.log = log
        mask = SecretMask(secrets)
    }

    /// Takes an event that is a line of the log.
    mutating func take(_ event: OpaquePointer) {
        var (facility, text): (UnsafePointer<CChar>?, UnsafePointer<CChar>?) = (nil, nil)
        var level: Int32 = 0
        guard rd_kafka_event_log(event, &facility, &text, &level) == 0, let text else { return }
        let now = MonotonicInstant.now.nanoseconds / 60_000_000_000
        if now != minute {
            if suppressed > 0 { log.log(.info, "librdkafka: \(suppressed) further lines are left out") }
            (minute, lines, suppressed) = (now, 0, 0)
        }
        guard lines < Self.linesPerMinute else {
            suppressed &+= 1
            return
        }
        lines &+= 1
        let words = ForeignText.line(mask.masking(String(cString: text)), limit: 300)
        // LOG_WARNING of syslog.h is 4; errors are what deliveries report.
        log.log(level <= 4 ? .info : .debug, "librdkafka \(facility.map { String(cString: $0) } ?? ""): \(words)")
    }
}
