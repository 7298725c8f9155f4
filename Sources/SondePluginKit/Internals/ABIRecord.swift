// The version record of every Swift plugin: the kit is linked into each of them, so each carries exactly one. It names
// the compiler, because Swift on Linux has no stable ABI between compiler versions. Constants only: the record is read
// from the file, where nothing has run and no relocation was applied.

/// The record's layout: struct size, major, minor, reserved, runtime name padded with NUL.
typealias ABIRecord = (UInt32, UInt32, UInt32, UInt32, InlineArray<48, UInt8>)

#if compiler(>=6.3.2)
    #error("name this compiler here: a plugin made by another one must be recognized")
#elseif !compiler(>=6.3.1)
    #error("the kit is made for Swift 6.3.1")
#endif

/// Version 1.2 of the contract, and the bytes of "swift-6.3.1".
@section("sonde_abi") @used
let abiRecord: ABIRecord = (
    64, 1, 2, 0,
    [
        0x73, 0x77, 0x69, 0x66, 0x74, 0x2d, 0x36, 0x2e, 0x33, 0x2e, 0x31, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]
)

/// The Swift runtime that this copy of the kit was compiled for.
public enum SwiftRuntime {
    /// `swift-6.3.1` and the like, as the version record spells it.
    public static var name: String {
        var bytes: [UInt8] = []
        for index in abiRecord.4.indices where abiRecord.4[index] != 0 {
            bytes.append(abiRecord.4[index])
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
