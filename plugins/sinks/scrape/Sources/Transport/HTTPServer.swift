internal import CMicrohttpd
internal import Glibc
internal import SondeDomain

/// libmicrohttpd without a thread of its own: everything happens in ``run()``.
///
/// Used from the instance's thread only.
final class HTTPServer {
    /// Why it does not start, where libmicrohttpd says so.
    struct StartFailure: Error {
        let text: String
    }

    /// Makes the answer to a request.
    typealias Handler = (HTTPRequest) -> Answer

    /// One answer.
    struct Answer {
        let status: UInt32
        let response: Response
        /// Whether the client is one that may read pages: others are the first to be given up.
        let isPage: Bool
    }

    // The head of a request, and what is being sent.
    private static let memory = 16 << 10
    // Connections that are being shut down are not closed yet.
    private static let spare = 16

    private let listener: Listener
    private let handler: Handler
    private let now: () -> MonotonicInstant
    private let log: (String) -> Void
    private let observer: UnsafeMutablePointer<sonde_mhd_observer>
    private var daemon: OpaquePointer?
    private(set) var connections: ConnectionTable
    private var lastMessage = ""
    /// Whether there was no descriptor for a client: libmicrohttpd 0.9.75 may accept none any more after that.
    private(set) var isStarved = false

    /// A server that listens at once.
    init(
        _ listener: Listener, _ certificate: CertificateFiles.Contents?, mostConnections: Int,
        now: @escaping () -> MonotonicInstant, log: @escaping (String) -> Void, handler: @escaping Handler
    ) throws(StartFailure) {
        self.listener = listener
        self.handler = handler
        self.now = now
        self.log = log
        connections = ConnectionTable(bound: mostConnections)
        observer = .allocate(capacity: 1)
        observer.initialize(to: sonde_mhd_observer())
        observer.pointee.context = Unmanaged.passUnretained(self).toOpaque()
        observer.pointee.request = { context, connection, path, method in
            guard let context, let connection, let path, let method else { return 0 }
            return HTTPServer.of(context).answer(HTTPRequest(connection, path, method)) ? 1 : 0
        }
        observer.pointee.connection = { context, socket, isOpen in
            guard let context else { return }
            HTTPServer.of(context).notice(socket, isOpen: isOpen == 1)
        }
        observer.pointee.completed = { context, socket in
            guard let context else { return }
            let server = HTTPServer.of(context)
            server.connections.complete(socket, at: server.now())
        }
        observer.pointee.message = { context, line in
            guard let context, let line else { return }
            HTTPServer.of(context).take(String(cString: line))
        }
        daemon = Self.start(listener, certificate, mostConnections, observer)
        guard daemon != nil else {
            throw StartFailure(text: lastMessage.isEmpty ? "libmicrohttpd gave no reason" : lastMessage)
        }
    }

    deinit {
        if let daemon {
            // Stopping it with its descriptor could shut the socket down, which another daemon may listen at.
            let descriptor = MHD_quiesce_daemon(daemon)
            MHD_stop_daemon(daemon)
            if descriptor >= 0 { close(descriptor) }
        }
        observer.deallocate()
    }

    /// Readable when ``run()`` has something to do.
    var descriptor: Int32 { daemon.map(sonde_mhd_descriptor) ?? -1 }

    /// Does what can be done without waiting.
    func run() {
        if let daemon { MHD_run(daemon) }
    }

    /// When ``run()`` has to be called at the latest, in milliseconds; nil: when its descriptor is readable.
    var timeout: Int64? {
        let milliseconds = daemon.map { sonde_mhd_timeout($0) } ?? -1
        return milliseconds < 0 ? nil : milliseconds
    }

    /// Closes the connections that have lasted too long.
    func closeLate() {
        for socket in connections.late(at: now()) { shutdown(socket, Int32(SHUT_RDWR)) }
    }

    private static func start(
        _ listener: Listener, _ certificate: CertificateFiles.Contents?, _ mostConnections: Int,
        _ observer: UnsafePointer<sonde_mhd_observer>
    ) -> OpaquePointer? {
        var settings = sonde_mhd_settings()
        let own = listener.duplicate()
        guard own >= 0 else { return nil }
        settings.listener = own
        settings.connections = UInt32(clamping: mostConnections + spare)
        settings.idle = UInt32(clamping: ConnectionTable.Phase.idle.patience.value / 1_000_000_000)
        settings.memory = memory
        let daemon: OpaquePointer? =
            if let certificate {
                // libmicrohttpd reads them while it starts.
                certificate.withPointers { chain, key, priorities in
                    settings.certificate = chain
                    settings.key = key
                    settings.priorities = priorities
                    return sonde_mhd_start(&settings, observer)
                }
            } else {
                sonde_mhd_start(&settings, observer)
            }
        // libmicrohttpd closes it or not, depending on how far it came.
        if daemon == nil, listener.isSame(own) { close(own) }
        return daemon
    }

    private static func of(_ context: UnsafeMutableRawPointer) -> HTTPServer {
        Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
    }

    private func answer(_ request: HTTPRequest) -> Bool {
        let answer = handler(request)
        if answer.isPage { connections.enter(.answering, request.socket, at: now()) }
        return sonde_mhd_queue(request.connection, answer.status, answer.response.raw) == 1
    }

    private func notice(_ socket: Int32, isOpen: Bool) {
        guard isOpen else { return connections.close(socket) }
        if let given = connections.open(socket, at: now()) { shutdown(given, Int32(SHUT_RDWR)) }
    }

    private func take(_ line: String) {
        let line = line.split(separator: "\n").joined(separator: " ")
        lastMessage = line
        let bytes = Array(line.utf8)
        if bytes.indices.contains(where: { bytes[$0...].starts(with: "resource limit".utf8) }) { isStarved = true }
        log(line)
    }
}

/// A response of libmicrohttpd, which may be sent to several clients and lives until all have it.
final class Response {
    let raw: OpaquePointer?

    /// A response with a copy of a body, which counts in an account until no client needs it.
    init(_ body: [UInt8], _ fields: [(name: String, value: String)], in account: ResponseAccount) {
        raw = account.raw.flatMap { account in
            body.withUnsafeBytes { sonde_mhd_response($0.baseAddress, $0.count, account) }
        }
        guard let raw else { return }
        for field in fields { MHD_add_response_header(raw, field.name, field.value) }
    }

    deinit {
        if let raw { MHD_destroy_response(raw) }
    }
}

/// The bytes of all responses that are kept or being sent.
final class ResponseAccount {
    // Beyond it, a client that asks has to wait until others have read.
    private static let bound = 64 << 20

    fileprivate let raw: UnsafeMutablePointer<sonde_mhd_account>?

    init() {
        raw = sonde_mhd_open_account()
    }

    deinit {
        sonde_mhd_close_account(raw)
    }

    /// Whether there is no room for another large response.
    var isFull: Bool { raw.map { $0.pointee.bytes > Self.bound } ?? true }
}
