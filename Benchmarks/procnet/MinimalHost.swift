import CSondePlugin
import Glibc

/// The least that a plugin needs of a host: no options, series by name and attributes, and commits that are walked once.
final class MinimalHost {
    let record = UnsafeMutablePointer<sonde_host>.allocate(capacity: 1)
    private(set) var samples = 0
    private(set) var checksum: UInt64 = 0
    private var series: [String: UInt64] = [:]

    init() {
        record.initialize(to: sonde_host())
        record.pointee.struct_size = UInt32(MemoryLayout<sonde_host>.size)
        record.pointee.context = Unmanaged.passUnretained(self).toOpaque()
        record.pointee.log = { _, _, message in
            guard let data = message.data else { return }
            _ = write(STDERR_FILENO, data, message.size)
            _ = write(STDERR_FILENO, "\n", 1)
        }
        record.pointee.monotonic_time_ns = { _ in 0 }
        record.pointee.wall_time_ns = { _ in 1 }
        record.pointee.option_string = { _, _, _ in 0 }
        record.pointee.option_list_count = { _, _ in 0 }
        record.pointee.series_open = { host, series in
            guard let series else { return 0 }
            return MinimalHost.of(host)?.open(series.pointee) ?? 0
        }
        record.pointee.series_close = { _, _ in }
        record.pointee.commit = { host, samples, count, _ in
            MinimalHost.of(host)?.take(UnsafeBufferPointer(start: samples, count: count))
            return sonde_commit_status(SONDE_COMMIT_OK)
        }
    }

    deinit {
        record.deallocate()
    }

    private static func of(_ host: UnsafePointer<sonde_host>?) -> MinimalHost? {
        guard let context = host?.pointee.context else { return nil }
        return Unmanaged<MinimalHost>.fromOpaque(context).takeUnretainedValue()
    }

    private func open(_ series: sonde_series) -> UInt64 {
        var key = text(series.name)
        for attribute in UnsafeBufferPointer(start: series.attributes, count: series.attribute_count) {
            key += "\u{0}\(text(attribute.name))\u{0}\(text(attribute.value))"
        }
        let handle = self.series[key] ?? UInt64(self.series.count + 1)
        self.series[key] = handle
        return handle
    }

    private func take(_ samples: UnsafeBufferPointer<sonde_sample>) {
        self.samples = samples.count
        for sample in samples { checksum = checksum &* 31 &+ sample.value.u64 &+ sample.series }
    }

    private func text(_ string: sonde_string) -> String {
        String(decoding: UnsafeRawBufferPointer(start: string.data, count: string.size), as: UTF8.self)
    }
}
