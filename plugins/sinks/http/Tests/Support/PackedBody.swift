import Foundation
import SondeGzip
import SondeTestKit
import Testing

extension [UInt8] {
    /// A body as the format has written it: unpacked where it begins like a stream of gzip or a frame of zstd.
    func unpacked() throws -> [UInt8] {
        if starts(with: [0x1f, 0x8b]) { return try inflated() }
        return starts(with: [0x28, 0xb5, 0x2f, 0xfd]) ? try unpackedByZstd() : self
    }

    private func inflated() throws -> [UInt8] {
        var output = [UInt8](repeating: 0, count: 1 << 20)
        let inflater = try #require(Inflater())
        let step = try withUnsafeBytes { input in
            try output.withUnsafeMutableBytes { try inflater.inflate(input, into: $0) }
        }
        #expect(step.isAtEnd)
        return Array(output[..<step.produced])
    }

    /// What libsnappy reads in it.
    func unpackedBySnappy() throws -> [UInt8] {
        typealias Uncompress =
            @convention(c) (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>) ->
            Int32
        let library = try #require(dlopen("libsnappy.so.1", RTLD_NOW))
        // The type of snappy-c.h.
        let uncompress = unsafeBitCast(try #require(dlsym(library, "snappy_uncompress")), to: Uncompress.self)
        var (output, length) = ([UInt8](repeating: 0, count: 1 << 20), 1 << 20)
        try #require(uncompress(self, count, &output, &length) == 0)
        return Array(output[..<length])
    }

    private func unpackedByZstd() throws -> [UInt8] {
        typealias Decompress =
            @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeRawPointer?, Int) -> Int
        let library = try #require(dlopen("libzstd.so.1", RTLD_NOW))
        // The type of zstd.h.
        let decompress = unsafeBitCast(try #require(dlsym(library, "ZSTD_decompress")), to: Decompress.self)
        var output = [UInt8](repeating: 0, count: 1 << 20)
        let count = output.withUnsafeMutableBytes { output in
            withUnsafeBytes { decompress(output.baseAddress, output.count, $0.baseAddress, $0.count) }
        }
        // An error is a number beyond any length.
        try #require((0...output.count).contains(count))
        return Array(output[..<count])
    }
}

extension [String: FakeHost.Option] {
    /// Bodies as they are: tests that need large ones.
    static let unpacked: Self = ["compression": .string("none")]
}
