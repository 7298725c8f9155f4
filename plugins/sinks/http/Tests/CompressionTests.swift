import SondeDomain
import SondePluginKit
import Testing

@testable import HTTPPlugin

/// Bodies packed, and libraries that are not installed.
@Suite struct CompressionTests {
    private static let line = Array(
        #"{"time":"2026-01-01T00:00:00.000Z","name":"system.network.io","value":1}\#n"#.utf8)

    @Test(arguments: Compression.allCases)
    func theSameBodyIsTheSamePacked(compression: Compression) throws {
        let body = Array(repeatElement(Self.line, count: 5_000).joined())
        let packed = try compression.pack(body)
        #expect(try compression.pack(body) == packed)
        #expect(compression == .none || packed.count < body.count / 10)
        if compression != .snappy { #expect(try packed.unpacked() == body) }
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
