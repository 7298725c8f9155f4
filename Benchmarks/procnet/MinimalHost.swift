import CSondePlugin
import Glibc

/// The least that a plugin needs of a host: options from the environment, series by name and attributes, and commits that are walked once.
final class MinimalHost {
    let record = UnsafeMutablePointer<sonde_host>.allocate(capacity: 1)
    private(set) var samples = 0
    private(set) var checksum: UInt64 = 0
    /// By how many nanoseconds its clock is ahead.
    var ahead: Int64 = 0
    private var series: [String: UInt64] = [:]
    private var words: [String: [sonde_string]] = [:]
    private var numbers: [String: Double] = [:]

    init() {
        record.initialize(to: sonde_host())
        record.pointee.struct_size = UInt32(MemoryLayout<sonde_host>.size)
        record.pointee.context = Unmanaged.passUnretained(self).toOpaque()
        record.pointee.log = { _, _, message in
            guard let data = message.data else { return }
            _ = write(STDERR_FILENO, data, message.size)
            _ = write(STDERR_FILENO, "\n", 1)
        }
        record.pointee.monotonic_time_ns = { host in
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
                + (MinimalHost.of(host)?.ahead ?? 0)
        }
        record.pointee.wall_time_ns = { _ in 1 }
        record.pointee.option_string = { host, path, value in
            guard let text = MinimalHost.of(host)?.words[MinimalHost.text(path)]?.first else { return 0 }
            value?.pointee = text
            return 1
        }
        record.pointee.option_double = { host, path, value in
            guard let number = MinimalHost.of(host)?.numbers[MinimalHost.text(path)] else { return 0 }
            value?.pointee = number
            return 1
        }
        record.pointee.option_list_count = { host, path in
            MinimalHost.of(host)?.words[MinimalHost.text(path)]?.count ?? 0
        }
        record.pointee.option_list_item = { host, path, index, value in
            guard let words = MinimalHost.of(host)?.words[MinimalHost.text(path)], words.indices.contains(index) else {
                return 0
            }
            value?.pointee = words[index]
            return 1
        }
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

    /// Sets an option to the words, separated by commas, of a variable of the environment.
    func set(_ option: String, from variable: String) {
        guard let value = getenv(variable) else { return }
        let text = String(cString: value)
        numbers[option] = Double(text)
        words[option] = text.split(separator: ",").map { word in
            // They live as long as the process.
            let bytes = strdup(String(word))
            return sonde_string(data: bytes, size: word.utf8.count)
        }
    }

    private static func of(_ host: UnsafePointer<sonde_host>?) -> MinimalHost? {
        guard let context = host?.pointee.context else { return nil }
        return Unmanaged<MinimalHost>.fromOpaque(context).takeUnretainedValue()
    }

    private func open(_ series: sonde_series) -> UInt64 {
        var key = Self.text(series.name)
        for attribute in UnsafeBufferPointer(start: series.attributes, count: series.attribute_count) {
            key += "\u{0}\(Self.text(attribute.name))\u{0}\(Self.text(attribute.value))"
        }
        let handle = self.series[key] ?? UInt64(self.series.count + 1)
        self.series[key] = handle
        return handle
    }

    private func take(_ samples: UnsafeBufferPointer<sonde_sample>) {
        self.samples = samples.count
        for sample in samples { checksum = checksum &* 31 &+ sample.value.u64 &+ sample.series }
    }

    private static func text(_ string: sonde_string) -> String {
        String(decoding: UnsafeRawBufferPointer(start: string.data, count: string.size), as: UTF8.self)
    }
}
