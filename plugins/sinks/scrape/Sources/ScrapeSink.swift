internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// Keeps the last point of every live series, and answers scrapes with them between deliveries.
final class ScrapeSink: ServingSink {
    // How often what lasts too long is looked for.
    private static let sweep = Nanoseconds.seconds(1)

    private let host: PluginHost
    private let configuration: ScrapeConfiguration
    private let routes: ScrapeRoutes
    private let pages: PageCache
    private var listener: Listener?
    private var server: HTTPServer?
    private var certificate: CertificateFiles.Contents?
    private var hasCertificateTrouble = false
    private var nextSweep: MonotonicInstant

    init(host: PluginHost) throws(PluginError) {
        self.host = host
        configuration = try ScrapeConfiguration(host.options)
        routes = ScrapeRoutes(paths: configuration.paths, authorization: configuration.authorization)
        pages = PageCache(configuration)
        nextSweep = host.monotonicTime
    }

    /// The port it listens at, once it does.
    var port: UInt16 { listener?.port ?? 0 }

    func start() throws(PluginError) {
        server = nil
        if let files = configuration.certificate { certificate = try files.read() }
        server = try makeServer(try openListener(), certificate)
    }

    private func openListener() throws(PluginError) -> Listener {
        if let listener { return listener }
        let opened = try Listener(configuration.address, mode: configuration.socketMode)
        listener = opened
        return opened
    }

    func deliver(_ batch: Batch, _ call: PluginCall) throws(PluginError) -> Delivery {
        let leftOut = pages.take(batch, at: host.monotonicTime)
        guard leftOut > 0 else { return .complete }
        return Delivery(rejectedPoints: UInt64(leftOut), message: "points that a page for Prometheus cannot hold")
    }

    func run(_ call: PluginCall) throws(PluginError) {
        while true {
            // First of all: deliveries may end each call before it has waited.
            sweep()
            guard let server else { throw failure("the server is gone") }
            var polled = [
                pollfd(fd: call.cancelDescriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: server.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&polled, 2, wait(for: server)) >= 0 || errno == EINTR else {
                throw failure("poll failed with error \(errno)")
            }
            if polled[0].revents != 0 { return }
            if polled[1].revents & Int16(POLLNVAL | POLLERR) != 0 { throw failure("its descriptor is closed") }
            server.run()
        }
    }

    /// The time until something is due, in milliseconds.
    private func wait(for server: HTTPServer) -> Int32 {
        let sweep = max(0, nextSweep.since(host.monotonicTime).value / 1_000_000 + 1)
        // Without a client nothing lasts too long but series, and a certificate.
        let longest = server.connections.count > 0 ? sweep : 10_000
        return Int32(clamping: min(longest, server.timeout ?? .max))
    }

    private func sweep() {
        let now = host.monotonicTime
        guard now >= nextSweep else { return }
        nextSweep = now.advanced(by: Self.sweep)
        server?.closeLate()
        pages.forgetSilent(at: now)
        renewCertificate()
        if server?.isStarved == true { startAnew() }
    }

    /// Starts the server again after there was no descriptor for a client.
    private func startAnew() {
        guard let listener else { return }
        do throws(PluginError) {
            server = try makeServer(listener, certificate)
            host.clearTrouble(ScrapeCode.server)
            host.log(.warning, "there was no descriptor for a client: the server was started again")
        } catch {
            host.reportTrouble(PluginError(ScrapeCode.server, .resource, error.message, hint: error.hint))
        }
    }

    /// Takes certificates that have changed; what cannot be used is reported, and the ones before stay.
    private func renewCertificate() {
        guard let files = configuration.certificate, let listener else { return }
        do throws(PluginError) {
            let read = try files.read(known: certificate)
            if read != certificate {
                server = try makeServer(listener, read)
                certificate = read
                host.log(.info, "the certificate has changed and is in use")
            }
            if hasCertificateTrouble { host.clearTrouble(ScrapeCode.certificate) }
            hasCertificateTrouble = false
        } catch {
            hasCertificateTrouble = true
            // In status it is one entry, whichever option it names.
            host.reportTrouble(PluginError(ScrapeCode.certificate, .configuration, error.message, hint: error.hint))
        }
    }

    private func makeServer(
        _ listener: Listener, _ certificate: CertificateFiles.Contents?
    ) throws(PluginError) -> HTTPServer {
        do throws(HTTPServer.StartFailure) {
            let host = host
            return try HTTPServer(
                listener, certificate, mostConnections: configuration.mostConnections,
                now: { host.monotonicTime }, log: { host.log(.debug, "libmicrohttpd: \($0)") },
                handler: { [unowned self] request in answer(request) })
        } catch {
            guard certificate != nil else { throw failure("it does not start: \(error.text)") }
            throw .refused(
                ScrapeCode.certificate, "the certificate and its key cannot be used: \(error.text)",
                hint: "See whether they belong together: openssl x509 -pubkey, openssl pkey -pubout.",
                option: "tls.cert_file")
        }
    }

    private func answer(_ request: HTTPRequest) -> HTTPServer.Answer {
        switch routes.target(of: request, hasSamples: pages.hasSamples) {
        case .page(let page):
            if let response = pages.response(page) {
                HTTPServer.Answer(status: 200, response: response, isPage: true)
            } else {
                text(503, "too much waits for clients that do not read\n", [("Retry-After", "10")])
            }
        case .text(let status, let words, let fields): text(status, words, fields)
        }
    }

    private func text(
        _ status: UInt32, _ words: String, _ fields: [(name: String, value: String)]
    ) -> HTTPServer.Answer {
        let fields = fields + [("Content-Type", "text/plain; charset=utf-8")]
        return HTTPServer.Answer(
            status: status, response: Response(Array(words.utf8), fields, in: pages.account), isPage: false)
    }

    private func failure(_ text: String) -> PluginError {
        PluginError(ScrapeCode.server, .transient, "the HTTP server has failed: \(text)")
    }
}
