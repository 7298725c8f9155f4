internal import SondeDomain
internal import SondeFormats
internal import SondeGzip

/// The pages as they were last asked for: several scrapers, or a flood of them, cost one rendering per delivery.
final class PageCache {
    // A family is written before the block is packed.
    private static let block = 16 << 10

    private let paths: [ScrapeConfiguration.Path]
    private let hasTimes: Bool
    private let hasStarts: Bool
    private var page: PrometheusPage
    private var responses: [PageRequest: Response] = [:]
    private var buffer = ByteBuffer()
    /// What all answers hold.
    let account = ResponseAccount()
    /// Whether a batch has come.
    private(set) var hasSamples = false

    init(_ configuration: ScrapeConfiguration) {
        paths = configuration.paths
        hasTimes = configuration.hasTimes
        hasStarts = configuration.hasStarts
        page = PrometheusPage(staleness: configuration.staleness)
    }

    /// Takes the points of a batch; returns how many of them are on no page.
    func take(_ batch: Batch, at now: MonotonicInstant) -> Int {
        responses.removeAll(keepingCapacity: true)
        hasSamples = true
        return page.take(batch, at: now)
    }

    /// Drops what was silent for too long, when no batch does.
    func forgetSilent(at now: MonotonicInstant) {
        let before = page.count
        page.forgetSilent(at: now)
        if page.count != before { responses.removeAll(keepingCapacity: true) }
    }

    /// The response with a page; nil: too much waits for clients that do not read.
    func response(_ request: PageRequest) -> Response? {
        if let response = responses[request] { return response }
        guard !account.isFull else { return nil }
        let style = PrometheusPageStyle(request.format, hasTimes: hasTimes, hasStarts: hasStarts)
        var fields = [(name: "Content-Type", value: style.contentType), ("Vary", "Accept, Accept-Encoding")]
        let packed = request.isPacked ? packedBody(request, style) : nil
        if packed != nil { fields.append(("Content-Encoding", "gzip")) }
        let response = Response(packed ?? plainBody(request, style), fields, in: account)
        // Filters of clients have no bound.
        if request.names.isEmpty { responses[request] = response }
        return response
    }

    private func plainBody(_ request: PageRequest, _ style: PrometheusPageStyle) -> [UInt8] {
        var body = ByteBuffer()
        page.write(style, into: &body, where: filter(request))
        return body.bytes
    }

    /// Nil where zlib has failed.
    private func packedBody(_ request: PageRequest, _ style: PrometheusPageStyle) -> [UInt8]? {
        guard let deflater = Deflater(.least) else { return nil }
        var body: [UInt8] = []
        var isWhole = true
        let pack = { (buffer: inout ByteBuffer, isLast: Bool) in
            isWhole = deflater.deflate(buffer.bytes[...], isLast: isLast) { body.append(contentsOf: $0) } && isWhole
            buffer.removeAll()
        }
        page.write(style, into: &buffer, where: filter(request)) { buffer in
            if buffer.count >= Self.block { pack(&buffer, false) }
        }
        pack(&buffer, true)
        if buffer.bytes.capacity > 4 * Self.block { buffer = ByteBuffer() }
        return isWhole ? body : nil
    }

    private func filter(_ request: PageRequest) -> (String, String) -> Bool {
        let metrics = paths[request.path].metrics
        let names = GlobFilter(include: request.names, exclude: [])
        return { family, metric in metrics.passes(metric) && names.passes(family) }
    }
}
