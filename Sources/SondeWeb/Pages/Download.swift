internal import SondeDomain
internal import SondePresentation

/// What a download hands out.
enum DownloadPart: Sendable {
    /// A stretch of the file of that name.
    case text([UInt8], fileName: String)
    /// All of it was handed out.
    case end
    /// It cannot be made; a code and a sentence.
    case failed(code: String, message: String)
}

/// A file that is exported for a page, piece by piece.
///
/// Pieces wait here for a browser that is slow, up to a bound; then the agent is not asked for more.
final class Download {
    private static let mostBytes = 4 << 20

    /// The request for the next piece, while too much waits.
    var held: DashboardRequest?
    private var waiting: [DownloadPart] = []
    private var bytes = 0
    private var isComplete = false
    private var taker: CheckedContinuation<DownloadPart, Never>?

    /// Whether so much waits that nothing more is to be asked for.
    var isFull: Bool { bytes >= Self.mostBytes }

    /// Adds a piece.
    func add(_ piece: DashboardExport.Piece) {
        guard !isComplete else { return }
        if !piece.text.isEmpty || piece.isFirst {
            put(.text(Array(piece.text.utf8), fileName: piece.fileName))
        }
        guard piece.isLast else { return }
        isComplete = true
        put(.end)
    }

    /// Ends it without the rest.
    func fail(code: String, message: String) {
        guard !isComplete else { return }
        isComplete = true
        put(.failed(code: code, message: message))
    }

    /// Hands the next part to a taker, when it is there.
    func take(_ continuation: CheckedContinuation<DownloadPart, Never>) {
        if let taker { taker.resume(returning: .end) }
        taker = continuation
        handOut()
    }

    private func put(_ part: DownloadPart) {
        waiting.append(part)
        bytes += part.count
        handOut()
    }

    private func handOut() {
        guard let taker, !waiting.isEmpty else { return }
        let part = waiting.removeFirst()
        bytes -= part.count
        self.taker = nil
        taker.resume(returning: part)
    }
}

extension DownloadPart {
    fileprivate var count: Int {
        if case .text(let bytes, _) = self { bytes.count } else { 0 }
    }
}
