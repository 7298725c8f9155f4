internal import SondeFormats

extension InspectReport {
    /// One line of schema `sonde.inspect/1`; every key is always there.
    var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("schema", "sonde.inspect/1")
            json.member("packets", packets)
            json.member("bytes", bytes)
            json.member("captured_bytes", capturedBytes)
            json.member("duration_seconds", duration.map(Self.seconds))
            json.member("peak_bytes_per_second", peakBytesPerSecond)
            json.member("link_types") { json in
                json.array { json in for name in linkTypes { json.value(name) } }
            }
            json.member("complete", failure == nil)
            json.member("error") { json in
                guard let failure else { return json.null() }
                json.object { json in
                    json.member("code", failure.code)
                    json.member("message", failure.message)
                }
            }
            for part in Self.parts { json.member(part) { $0.null() } }
        }
        return json.bytes + [0x0a]
    }

    static func seconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1e9 }
}
