import SondeDomain
import Testing

@testable import SondePresentation
@testable import SondeWeb

@Suite struct DownloadTests {
    private func piece(_ text: String, isFirst: Bool = false, isLast: Bool = false) -> DashboardExport.Piece {
        DashboardExport.Piece.sample(text, isFirst: isFirst, isLast: isLast)
    }

    private func take(_ download: Download) async -> DownloadPart {
        await withCheckedContinuation { download.take($0) }
    }

    @Test func piecesAreHandedOutInTheirOrderAndThenTheEnd() async {
        let download = Download()
        download.add(piece("a", isFirst: true))
        download.add(piece("b", isLast: true))
        download.add(piece("c"))
        guard case .text(let first, let name) = await take(download) else { return #expect(Bool(false)) }
        #expect(first == Array("a".utf8))
        #expect(name == "sonde-bandwidth.receive-1h.csv")
        guard case .text(let second, _) = await take(download) else { return #expect(Bool(false)) }
        #expect(second == Array("b".utf8))
        guard case .end = await take(download) else { return #expect(Bool(false)) }
    }

    @Test func aDownloadThatIsNotTakenIsFull() async {
        let download = Download()
        let text = String(repeating: "x", count: 1 << 20)
        for _ in 0..<3 { download.add(piece(text)) }
        #expect(!download.isFull)
        download.add(piece(text))
        #expect(download.isFull)
        _ = await take(download)
        #expect(!download.isFull)
    }

    @Test func afterAFailureNothingElseComes() async {
        let download = Download()
        download.fail(code: "SND-CTL009", message: "gone")
        download.add(piece("a", isLast: true))
        guard case .failed(let code, _) = await take(download) else { return #expect(Bool(false)) }
        #expect(code == "SND-CTL009")
    }

    @Test func anEmptyFileIsAFile() async {
        let download = Download()
        download.add(piece("", isFirst: true, isLast: true))
        guard case .text(let bytes, _) = await take(download) else { return #expect(Bool(false)) }
        #expect(bytes.isEmpty)
        guard case .end = await take(download) else { return #expect(Bool(false)) }
    }
}

extension DashboardExport.Piece {
    /// A piece that a dashboard wants written.
    fileprivate static func sample(_ text: String, isFirst: Bool, isLast: Bool) -> Self {
        DashboardExport.Piece(
            subject: DashboardSubject(.bandwidthReceive, .hour), format: "csv", text: text, isFirst: isFirst,
            isLast: isLast)
    }
}
