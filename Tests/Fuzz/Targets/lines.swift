import SondeFormats

/// What libFuzzer calls with every input: what a program of `exec` may print, read in every format.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafeRawPointer?, _ size: Int) -> CInt {
    var prometheus = PrometheusTextReader()
    var nagios = NagiosReader()
    for line in [UInt8](UnsafeRawBufferPointer(start: data, count: size)).split(separator: 0x0a) {
        _ = try? JSONLineReader.point(JSONLineReader.object(line))
        _ = try? InfluxLineReader.points(line)
        _ = try? prometheus.point(line)
        try? nagios.take(line)
    }
    _ = prometheus.finish()
    _ = try? nagios.finish(status: 0)
    return 0
}
