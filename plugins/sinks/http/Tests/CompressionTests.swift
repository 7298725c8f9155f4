import SondeDomain
import SondeFormats
import SondePluginKit
import SondeTestKit
import Testing

@testable import HTTPPlugin

/// Bodies packed, and libraries that are not installed.
@Suite struct CompressionTests {
    private static let line = Array(
        #"{"time":"2026-01-01T00:00:00.000Z","name":"system.network.io","value":1}\#n"#.utf8)

    /// Short bodies are packed with less memory than long ones.
    @Test(arguments: Compression.allCases, [100, 5_000])
    func theSameBodyIsTheSamePacked(compression: Compression, lines: Int) throws {
        let body = Array(repeatElement(Self.line, count: lines).joined())
        let packed = try compression.pack(body)
        #expect(try compression.pack(body) == packed)
        #expect(compression == .none || packed.count < body.count / 10)
        #expect(try compression == .snappy ? packed.unpackedBySnappy() == body : packed.unpacked() == body)
    }

    /// Bodies of every kind: short and long runs, few and many repetitions, near and far ones.
    @Test(arguments: [0, 1, 3, 4, 5, 59, 60, 61, 64, 68, 257, 300, 2_052, 20_000, SnappyBlock.longestBody, 70_000])
    func libsnappyReadsWhatIsFoundWithMorePatience(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        for letters in [1, 2, 5, 40, 256] {
            let body = (0..<count).map { _ in UInt8(Int.random(in: 0..<letters, using: &random)) }
            let repeated = Array((0..<8).map { _ in body.prefix(count / 8) }.joined())
            for body in [body, repeated] {
                let packed = SnappyBlock.packed(body)
                #expect(try body.count > SnappyBlock.longestBody || Compression.snappy.pack(body) == packed)
                #expect(try packed.unpackedBySnappy() == body)
                #expect(packed.count <= body.count + body.count / 64 + 5)
            }
        }
    }

    @Test func aShortBodyIsShorterThanByLibsnappy() throws {
        let lines = (0..<200).map { line in
            "interface eth\(line % 7), value \(line * line * 7919 % 10_007), seconds \(line)\n"
        }
        let body = Array(lines.joined().utf8)
        let library = try #require(Snappy.loaded)
        #expect(try Compression.snappy.pack(body).count < #require(library.pack(body)).count * 19 / 20)
    }

    @Test func aLibraryThatIsMissingOrLacksAFunctionIsNone() {
        #expect(Zstd.functions("ZSTD_compress") != nil)
        #expect(Zstd.functions("ZSTD_compress", "ZSTD_nothing") == nil)
        #expect(Zstd.functions("ZSTD_compress", in: "libnothing.so.1") == nil)
    }

    @Test(arguments: [(Compression.zstd, "libzstd1"), (.snappy, "libsnappy1v5")])
    func aMissingLibraryIsARefusalThatNamesItsPackage(compression: Compression, package: String) throws {
        let error = try #require(throws: PluginError.self) {
            switch compression {
            case .zstd: _ = try compression.loaded(Zstd?.none)
            default: _ = try compression.loaded(Snappy?.none)
            }
        }
        #expect(error.hint == "Install it: apt-get install \(package).")
        #expect(error.optionPath == "compression")
        #expect(error.failureClass == .configuration)
    }
}
