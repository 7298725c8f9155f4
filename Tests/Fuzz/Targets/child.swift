import SondeGateways

/// What libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafeRawPointer?, _ size: Int) -> CInt {
    let broken = ChildFuzzInput.brokenInvariants(UnsafeRawBufferPointer(start: data, count: size))
    // A trap is how a fuzz target tells libFuzzer that it has found something.
    if !broken.isEmpty { fatalError(broken.joined(separator: ", ")) }
    return 0
}
