internal import CCurl
internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// The connections of one instance: a multi handle, which keeps them between deliveries.
///
/// Used from the instance's thread only.
final class CurlSession {
    private static let longestPoll = Nanoseconds.seconds(1)

    private let multi: UnsafeMutableRawPointer

    init() throws(PluginError) {
        guard CurlLibrary.prepare(), let multi = curl_multi_init() else {
            throw .libcurl("libcurl cannot be initialized")
        }
        self.multi = multi
        // One instance delivers one batch at a time; a second connection is there for the moment of a change.
        sonde_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 2)
    }

    deinit {
        curl_multi_cleanup(multi)
    }

    /// Posts a request and waits for the answer, until `deadline` or as long as the settings allow.
    func post(
        _ request: Request, _ settings: TransportSettings, _ authorization: Authorization.Field,
        until deadline: MonotonicInstant, cancel: Int32
    ) throws(PluginError) -> Transfer {
        let now = MonotonicInstant.now
        let deadline = min(deadline, now.advanced(by: settings.timeout))
        let transfer = try CurlTransfer(request, settings, authorization, timeout: deadline.since(now))
        let code = try request.body.withUnsafeBufferPointer { bytes throws(PluginError) in
            try transfer.setBody(bytes)
            return try run(transfer, until: deadline, cancel: cancel)
        }
        return transfer.result(code)
    }

    /// Connects as a request would, proxy and TLS included, and sends none.
    func connect(
        _ settings: TransportSettings, until deadline: MonotonicInstant, cancel: Int32
    ) throws(PluginError) -> (Transfer, certificateEnd: Int64?) {
        let deadline = min(deadline, .now.advanced(by: settings.connectTimeout))
        let request = Request(fields: [], body: [])
        let transfer = try CurlTransfer(request, settings, .none, timeout: settings.connectTimeout)
        try transfer.connectOnly()
        let code = try run(transfer, until: deadline, cancel: cancel)
        return (transfer.result(code), transfer.certificateEnd)
    }

    /// Runs a transfer until it is over, `deadline` passes, or the cancel descriptor becomes readable.
    ///
    /// What is not over is aborted, and its connection closed.
    private func run(_ transfer: CurlTransfer, until deadline: MonotonicInstant, cancel: Int32) throws(PluginError)
        -> CURLcode
    {
        try check(curl_multi_add_handle(multi, transfer.handle))
        defer { curl_multi_remove_handle(multi, transfer.handle) }
        while true {
            var running: Int32 = 0
            try check(curl_multi_perform(multi, &running))
            var code = CURLE_OK
            if sonde_curl_multi_take_result(multi, &code) == 1 { return code }
            guard running > 0 else { throw .libcurl("libcurl lost the transfer") }
            guard !PollDescriptor.isReadable(cancel) else { throw .cancelled }
            let left = deadline.since(.now)
            guard left > .zero else { return CURLE_OPERATION_TIMEDOUT }
            try wait(min(left, Self.longestPoll), cancel)
        }
    }

    private func wait(_ span: Nanoseconds, _ cancel: Int32) throws(PluginError) {
        let milliseconds = Int32(clamping: span.wholeMilliseconds)
        guard cancel >= 0 else {
            return try check(curl_multi_poll(multi, nil, 0, milliseconds, nil))
        }
        // Only wakes: libcurl passes no POLLHUP on, which is all that a closed pipe gives.
        var extra = curl_waitfd(fd: cancel, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        try check(curl_multi_poll(multi, &extra, 1, milliseconds, nil))
    }

    private func check(_ code: CURLMcode) throws(PluginError) {
        guard code != CURLM_OK else { return }
        throw .libcurl("libcurl: \(curl_multi_strerror(code).map { String(cString: $0) } ?? "error \(code.rawValue)")")
    }
}

/// libcurl as a whole.
enum CurlLibrary {
    // curl_global_init is to run once. A global of Swift is made once for any number of threads, which covers every
    // instance of this plugin; libcurl 7.84 and later guards itself against other users in the process
    // (CURL_VERSION_THREADSAFE). Never cleaned up: a plugin is never unloaded.
    private static let initialized = curl_global_init(sonde_curl_global_flags)

    /// Readies the library once; false when it cannot be used.
    static func prepare() -> Bool {
        initialized == CURLE_OK
    }
}

/// A look at a descriptor.
enum PollDescriptor {
    /// Whether a read would not block now: bytes are there, or the other end is gone.
    static func isReadable(_ descriptor: Int32) -> Bool {
        guard descriptor >= 0 else { return false }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
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
