internal import Glibc

/// A library that packs bodies, loaded at its first use: an agent that does not need it does not load it.
protocol PackingLibrary: Sendable {
    /// What is loaded.
    static var fileName: String { get }
    /// The Debian package that has it.
    static var package: String { get }
    /// The packed body; nil: the library has refused.
    func pack(_ body: [UInt8]) -> [UInt8]?
}

extension PackingLibrary {
    /// The addresses of functions of the library, in the order of their names; nil where it or one of them is missing.
    static func functions(_ names: String..., in file: String = fileName) -> [UnsafeMutableRawPointer]? {
        guard let library = dlopen(file, RTLD_NOW | RTLD_LOCAL) else { return nil }
        let found = names.compactMap { dlsym(library, $0) }
        return found.count == names.count ? found : nil
    }
}

extension [UInt8] {
    /// As many bytes of room as `capacity`, of which `write` fills the first and says how many; nil: it has failed.
    init?(capacity: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int?) {
        var isWhole = false
        self.init(unsafeUninitializedCapacity: capacity) { output, count in
            let written = write(output)
            isWhole = written != nil
            count = written ?? 0
        }
        guard isWhole else { return nil }
    }
}

/// libsnappy.
struct Snappy: PackingLibrary {
    private typealias MaximumLength = @convention(c) (Int) -> Int
    private typealias Compress =
        @convention(c) (UnsafePointer<UInt8>, Int, UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<Int>) -> Int32

    static let fileName = "libsnappy.so.1"
    static let package = "libsnappy1v5"
    /// The library; nil where it is not installed.
    static let loaded: Snappy? = Snappy()

    private let maximumLength: MaximumLength
    private let compress: Compress

    private init?() {
        guard let functions = Self.functions("snappy_max_compressed_length", "snappy_compress") else { return nil }
        // The types of snappy-c.h.
        maximumLength = unsafeBitCast(functions[0], to: MaximumLength.self)
        compress = unsafeBitCast(functions[1], to: Compress.self)
    }

    /// The body in snappy's block format.
    func pack(_ body: [UInt8]) -> [UInt8]? {
        [UInt8](capacity: maximumLength(body.count)) { output in
            body.withUnsafeBufferPointer { input in
                guard let from = input.baseAddress, let to = output.baseAddress else { return nil }
                var length = output.count
                return compress(from, input.count, to, &length) == 0 ? length : nil
            }
        }
    }
}

/// libzstd.
struct Zstd: PackingLibrary {
    private typealias Bound = @convention(c) (Int) -> Int
    private typealias Compress =
        @convention(c) (UnsafeMutablePointer<UInt8>, Int, UnsafePointer<UInt8>, Int, Int32) -> Int
    private typealias IsError = @convention(c) (Int) -> UInt32

    static let fileName = "libzstd.so.1"
    static let package = "libzstd1"
    /// The library; nil where it is not installed.
    static let loaded: Zstd? = Zstd()
    // ZSTD_CLEVEL_DEFAULT, written down so that another version of the library packs alike.
    private static let level: Int32 = 3

    private let bound: Bound
    private let compress: Compress
    private let isError: IsError

    private init?() {
        guard let functions = Self.functions("ZSTD_compressBound", "ZSTD_compress", "ZSTD_isError") else { return nil }
        // The types of zstd.h.
        bound = unsafeBitCast(functions[0], to: Bound.self)
        compress = unsafeBitCast(functions[1], to: Compress.self)
        isError = unsafeBitCast(functions[2], to: IsError.self)
    }

    /// The body as one frame.
    func pack(_ body: [UInt8]) -> [UInt8]? {
        [UInt8](capacity: bound(body.count)) { output in
            body.withUnsafeBufferPointer { input in
                guard let from = input.baseAddress, let to = output.baseAddress else { return nil }
                let length = compress(to, output.count, from, input.count, Self.level)
                return isError(length) == 0 ? length : nil
            }
        }
    }
}
