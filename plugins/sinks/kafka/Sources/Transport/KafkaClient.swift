internal import CKafka
internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// A producer of librdkafka, with the threads that it has until it is gone.
///
/// Used from the instance's thread only.
final class KafkaClient {
    /// What a client reports.
    enum Event {
        /// The brokers have confirmed the message, or a failure ends it.
        case report(KafkaError?)
        /// Something failed and is tried again.
        case failure(KafkaError)
        /// Nothing works any more.
        case fatal(KafkaError)
    }

    private let handle: OpaquePointer
    private let queue: OpaquePointer
    private let wake: Wake
    private var log: ClientLog
    private var reports: [KafkaError?] = []

    /// A client that connects as soon as it has threads.
    init(_ properties: ClientProperties, _ log: ClientLog) throws(PluginError) {
        self.log = log
        wake = try Wake()
        handle = try properties.makeHandle()
        // Logs come with the other events, so that the instance's thread alone writes to the agent's log.
        rd_kafka_set_log_queue(handle, nil)
        queue = rd_kafka_queue_get_main(handle)
        rd_kafka_queue_io_event_enable(queue, wake.writeEnd, "1", 1)
    }

    deinit {
        rd_kafka_queue_io_event_enable(queue, -1, nil, 0)
        rd_kafka_queue_destroy(queue)
        // What is not confirmed is offered again: nothing is flushed.
        rd_kafka_purge(handle, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT | RD_KAFKA_PURGE_F_NON_BLOCKING)
        rd_kafka_destroy(handle)
    }

    /// Hands over a message, which is copied.
    func produce(
        _ value: UnsafeBufferPointer<UInt8>, key: String, headers: [(name: String, value: String)], topic: String
    ) throws(KafkaError) {
        let list = rd_kafka_headers_new(headers.count)
        for header in headers {
            rd_kafka_header_add(list, header.name, -1, header.value, header.value.utf8.count)
        }
        let code = sonde_kafka_produce(
            handle, topic, key, key.utf8.count, value.baseAddress, value.count, list)
        guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { return }
        rd_kafka_headers_destroy(list)
        throw code == RD_KAFKA_RESP_ERR__FATAL ? fatalError(or: code) : KafkaError(code)
    }

    /// Asks a broker for the list of all, and returns whether one has answered.
    func findsBrokers(within span: Nanoseconds) -> Bool {
        var found: UnsafePointer<rd_kafka_metadata>?
        let code = rd_kafka_metadata(handle, 0, nil, &found, Int32(clamping: span.value / 1_000_000))
        if let found { rd_kafka_metadata_destroy(found) }
        return code == RD_KAFKA_RESP_ERR_NO_ERROR
    }

    /// The next event; nil: there was none until `deadline`.
    func next(until deadline: MonotonicInstant, cancel: Int32) throws(PluginError) -> Event? {
        while true {
            if let event = take() { return event }
            let left = deadline.since(.now)
            guard left > .zero else { return nil }
            try wake.wait(left, cancel)
        }
    }

    /// Forgets what has happened since nobody waited; what is fatal stays so.
    func takeFatal() -> KafkaError? {
        while let event = take() {
            if case .fatal(let error) = event { return error }
        }
        return nil
    }

    /// An event that is there.
    private func take() -> Event? {
        if let report = reports.popLast() { return .report(report) }
        while let event = rd_kafka_queue_poll(queue, 0) {
            defer { rd_kafka_event_destroy(event) }
            switch rd_kafka_event_type(event) {
            case RD_KAFKA_EVENT_DR:
                while let message = rd_kafka_event_message_next(event) { reports.append(report(message.pointee)) }
                if let report = reports.popLast() { return .report(report) }
            case RD_KAFKA_EVENT_ERROR:
                let error = KafkaError(rd_kafka_event_error(event), rd_kafka_event_error_string(event))
                guard error.code == RD_KAFKA_RESP_ERR__FATAL else { return .failure(error) }
                return .fatal(fatalError(or: error.code))
            case RD_KAFKA_EVENT_LOG: log.take(event)
            default: break
            }
        }
        return nil
    }

    private func report(_ message: rd_kafka_message_t) -> KafkaError? {
        switch message.err {
        case RD_KAFKA_RESP_ERR_NO_ERROR: nil
        case RD_KAFKA_RESP_ERR__FATAL: fatalError(or: message.err)
        default: KafkaError(message.err)
        }
    }

    /// The error behind `RD_KAFKA_RESP_ERR__FATAL`.
    private func fatalError(or code: rd_kafka_resp_err_t) -> KafkaError {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { text in
            text[0] = 0
            let cause = rd_kafka_fatal_error(handle, text.baseAddress, text.count)
            return KafkaError(cause == RD_KAFKA_RESP_ERR_NO_ERROR ? code : cause, text.baseAddress, isFatal: true)
        }
    }
}

/// An error in librdkafka's terms.
struct KafkaError: Error {
    let code: rd_kafka_resp_err_t
    /// Its words; may be empty, and may have a broker's words in them.
    let text: String
    /// Whether its client is of no use any more.
    let isFatal: Bool

    init(_ code: rd_kafka_resp_err_t, _ text: UnsafePointer<CChar>? = nil, isFatal: Bool = false) {
        self.code = code
        let text = text ?? rd_kafka_err2str(code)
        self.text = text.map { String(cString: $0) } ?? ""
        self.isFatal = isFatal
    }

    /// `RD_KAFKA_RESP_ERR_…` without its beginning.
    var name: String { rd_kafka_err2name(code).map { String(cString: $0) } ?? "\(code.rawValue)" }
}

/// Wakes the thread that waits for a client.
private final class Wake {
    let writeEnd: Int32
    private let readEnd: Int32

    init() throws(PluginError) {
        var ends: [Int32] = [-1, -1]
        // The Glibc module lacks pipe2.
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            let rule = KafkaFault.localResource.rule
            throw PluginError(rule.code, rule.failureClass, "no socket: error \(errno)", hint: rule.recovery)
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Waits until it is woken or `span` is over; throws the cancellation when `cancel` is readable.
    func wait(_ span: Nanoseconds, _ cancel: Int32) throws(PluginError) {
        var entries = [
            pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
            pollfd(fd: cancel, events: Int16(POLLIN), revents: 0),
        ]
        // Rounded up, or the last millisecond would be waited for without a pause.
        let milliseconds = Int32(clamping: span.value / 1_000_000 + 1)
        poll(&entries, nfds_t(cancel >= 0 ? 2 : 1), milliseconds)
        guard entries[1].revents == 0 else { throw .cancelled }
        guard entries[0].revents != 0 else { return }
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { room in
            while read(readEnd, room.baseAddress, room.count) == room.count {}
        }
    }
}

extension MonotonicInstant {
    /// CLOCK_MONOTONIC, which the deadlines of calls are on.
    static var now: MonotonicInstant {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return MonotonicInstant(nanoseconds: 0).advanced(
            by: .seconds(Int64(now.tv_sec)) + Nanoseconds(Int64(now.tv_nsec)))
    }
}
