internal import Glibc
internal import HummingbirdCore
internal import HummingbirdTLS
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import ServiceLifecycle
internal import SondeDomain
internal import SondeGateways
internal import SondePresentation
internal import UnixSignals

/// The server of the page, from its start to its end.
struct WebServer: Sendable {
    private static let mostConnections = 512
    private static let mostHeaderBytes = 16_384
    private static let mostHeaderFields = 64
    /// How long answers that are being sent may take at the end.
    private static let grace = Duration.seconds(5)
    // What pages that were closed have used stays free memory of the process otherwise.
    private static let releasePeriod = Duration.seconds(60)

    private let settings: WebSettings
    private let timing: DashboardTiming
    private let version: String

    /// A server that listens nowhere yet.
    init(_ settings: WebSettings, version: String, timing: DashboardTiming = DashboardTiming()) {
        (self.settings, self.version, self.timing) = (settings, version, timing)
    }

    /// Serves until the process gets SIGTERM or SIGINT; `started` gets the link to the page.
    func run(report: @escaping @Sendable (String) -> Void, started: @escaping @Sendable (String) -> Void)
        async throws(SondeError)
    {
        let hub = try PageHub(PageHub.Settings(paths: settings.sockets, timing: timing))
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let release = Task {
            while (try? await Task.sleep(for: Self.releasePeriod)) != nil { ResidentMemory.releaseHeap() }
        }
        defer { release.cancel() }
        let outcome: Result<Void, any Error>
        do {
            try await serve(hub, group, report, started)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await hub.end()
        try? await group.shutdownGracefully()
        if case .failure(let error) = outcome { throw failure(error) }
    }

    private func serve(
        _ hub: PageHub, _ group: MultiThreadedEventLoopGroup, _ report: @escaping @Sendable (String) -> Void,
        _ started: @escaping @Sendable (String) -> Void
    ) async throws {
        let logger = Logger(label: "sonde-web") { _ in SwiftLogNoOpLogHandler() }
        let gate = Gate(settings.token, clock: SystemClock(), report: report)
        let responder = PageResponder(hub: hub, gate: gate, rules: settings.rules, version: version)
        let server = try builder().buildServer(
            configuration: ServerConfiguration(
                address: .hostname(settings.listen.host, port: settings.listen.port ?? WebSettings.standardPort),
                availableConnectionsDelegate: MaximumAvailableConnections(Self.mostConnections, logger: logger)),
            eventLoopGroup: group, logger: logger
        ) { request, writer, channel in
            try await responder.respond(to: request, writer, channel)
        } onServerRunning: { channel in
            started(settings.link(port: channel.localAddress?.port ?? 0))
        }
        // The last one is ended first: pages, so that the server waits for none.
        var configuration = ServiceGroupConfiguration(
            services: [server, OpenPages(hub: hub)] as [any Service],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = Self.grace
        try await ServiceGroup(configuration: configuration).run()
    }

    private func builder() throws -> HTTPServerBuilder {
        let channel = HTTP1Channel.Configuration(
            additionalChannelHandlers: [SlowClientHandler(SlowClientHandler.Patience())], idleTimeout: .seconds(60),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: Self.mostHeaderBytes, maxHeaderListSize: Self.mostHeaderBytes,
                maxHeaderFieldCount: Self.mostHeaderFields))
        guard let tls = settings.tls else { return .http1(configuration: channel) }
        return try .tls(.http1(configuration: channel), tlsConfiguration: tls.configuration())
    }

    private func failure(_ error: any Error) -> SondeError {
        if let error = error as? SondeError { return error }
        let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
        return SondeError(
            web: .webNotListening, "cannot serve at '\(settings.listen.text)': \(reason)")
    }
}

/// Ends all pages when the server is to end.
private struct OpenPages: Service {
    let hub: PageHub

    func run() async throws {
        try? await gracefulShutdown()
        await hub.end()
    }
}
