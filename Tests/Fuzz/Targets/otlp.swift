import SondeFormats

/// What libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafeRawPointer?, _ size: Int) -> CInt {
    let body = [UInt8](UnsafeRawBufferPointer(start: data, count: size))
    let answer = OTLPAnswer(body)
    let status = OTLPAnswer.message(ofStatus: body)
    // A trap is how a fuzz target tells libFuzzer that it has found something.
    if answer.message.count > size || (status?.count ?? 0) > size { fatalError("a message is longer than the body") }
    if answer.rejectedPoints > Int64.max { fatalError("a negative number of points") }
    return 0
}
