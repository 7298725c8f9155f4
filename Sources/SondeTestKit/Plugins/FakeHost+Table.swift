internal import CSondePlugin
internal import SondeDomain
internal import SondePluginKit

#if canImport(Glibc)
    internal import Glibc
#endif

// The contract's functions over a FakeHost. C function pointers capture nothing, so each finds the host behind
// `context`.

private func hosted(_ host: UnsafePointer<sonde_host>?) -> FakeHost? {
    guard let context = host?.pointee.context else { return nil }
    return Unmanaged<FakeHost>.fromOpaque(context).takeUnretainedValue()
}

private func text(_ string: sonde_string) -> String {
    guard let data = string.data else { return "" }
    return String(decoding: UnsafeRawBufferPointer(start: data, count: string.size), as: UTF8.self)
}

private func text<Field>(field: Field) -> String {
    withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}

extension PluginError {
    /// What a plugin has filled in.
    init(_ error: sonde_error) {
        self.init(
            text(field: error.code),
            FailureClass(rawValue: error.error_class) ?? .programmer,
            text(field: error.message),
            hint: text(field: error.hint),
            optionPath: text(field: error.option_path),
            retryAfter: error.retry_after_ns < 0 ? nil : Nanoseconds(error.retry_after_ns)
        )
    }
}

private func option<Value>(
    _ host: UnsafePointer<sonde_host>?,
    _ path: sonde_string,
    _ out: UnsafeMutablePointer<Value>?,
    _ read: (FakeHost, FakeHost.Option) -> Value?
) -> Int32 {
    guard let fake = hosted(host), let option = fake.options[text(path)], let value = read(fake, option) else {
        return 0
    }
    out?.pointee = value
    return 1
}

extension FakeHost {
    func fillTable(id: String) {
        record.pointee.struct_size = UInt32(MemoryLayout<sonde_host>.size)
        record.pointee.context = Unmanaged.passUnretained(self).toOpaque()
        record.pointee.instance_id = keep(id)
        fillServices()
        fillScalarOptions()
        fillCollectionOptions()
        fillSeries()
        fillTroubles()
    }

    private func fillTroubles() {
        record.pointee.report_trouble = { host, error, since in
            guard let fake = hosted(host), let error = error?.pointee else { return 0 }
            fake.troubles.removeAll {
                $0.code == text(field: error.code) && $0.optionPath == text(field: error.option_path)
            }
            fake.troubles.append(PluginError(error))
            return 1
        }
        record.pointee.clear_trouble = { host, code, option in
            hosted(host)?.troubles.removeAll { $0.code == text(code) && $0.optionPath == text(option) }
        }
        record.pointee.reject_point = { host, index, reason in
            hosted(host)?.rejectedPoints.append(FakeHost.RejectedPoint(index: index, reason: text(reason)))
        }
    }

    private func fillServices() {
        record.pointee.log = { host, level, message in
            let name = ["debug", "info", "warning", "error"][max(0, min(3, Int(level) - 1))]
            hosted(host)?.log.append("\(name): \(text(message))")
        }
        record.pointee.wall_time_ns = { hosted($0)?.wallTime.nanoseconds ?? 0 }
        record.pointee.monotonic_time_ns = { host in
            if let fixed = hosted(host)?.monotonicTime { return fixed.nanoseconds }
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
        }
        record.pointee.report_loss = { host, loss in
            guard let fake = hosted(host), let loss = loss?.pointee else { return }
            fake.losses.append(
                Loss(
                    reason: text(loss.reason),
                    component: "test",
                    from: loss.from_ns == 0 ? nil : Timestamp(nanoseconds: loss.from_ns),
                    to: loss.to_ns == 0 ? nil : Timestamp(nanoseconds: loss.to_ns),
                    count: loss.count == .max ? nil : loss.count
                )
            )
        }
        record.pointee.request_tick = { host, period in
            hosted(host)?.tickPeriod = period == 0 ? nil : Nanoseconds(period)
            return 1
        }
        record.pointee.prefer_send = { host, mask in hosted(host)?.preferredSend = mask }
    }

    private func fillScalarOptions() {
        record.pointee.option_string = { host, path, out in
            option(host, path, out) { fake, value in
                guard case .string(let text) = value else { return nil }
                return fake.keep(text)
            }
        }
        record.pointee.option_bool = { host, path, out in
            option(host, path, out) { _, value in
                guard case .bool(let flag) = value else { return nil }
                return flag ? 1 : 0
            }
        }
        record.pointee.option_int = { host, path, out in
            option(host, path, out) { _, value in
                guard case .integer(let number) = value else { return nil }
                return number
            }
        }
        record.pointee.option_double = { host, path, out in
            option(host, path, out) { _, value in
                guard case .double(let number) = value else { return nil }
                return number
            }
        }
        record.pointee.option_duration_ns = { host, path, out in
            option(host, path, out) { _, value in
                guard case .duration(let span) = value else { return nil }
                return span.value
            }
        }
        record.pointee.option_size_bytes = { host, path, out in
            option(host, path, out) { _, value in
                guard case .size(let bytes) = value else { return nil }
                return bytes
            }
        }
    }

    private func fillCollectionOptions() {
        record.pointee.option_list_count = { host, path in
            switch hosted(host)?.options[text(path)] {
            case .list(let items): items.count
            case .entries(let entries): entries.count
            default: 0
            }
        }
        record.pointee.option_list_item = { host, path, index, out in
            option(host, path, out) { fake, value in
                guard case .list(let items) = value, items.indices.contains(index) else { return nil }
                return fake.keep(items[index])
            }
        }
        record.pointee.option_map_count = { host, path in
            guard case .map(let pairs)? = hosted(host)?.options[text(path)] else { return 0 }
            return pairs.count
        }
        record.pointee.option_map_item = { host, path, index, key, value in
            guard
                let fake = hosted(host),
                case .map(let pairs)? = fake.options[text(path)],
                pairs.indices.contains(index)
            else { return 0 }
            key?.pointee = fake.keep(pairs[index].name)
            value?.pointee = fake.keep(pairs[index].value)
            return 1
        }
    }

    private func fillSeries() {
        record.pointee.series_open = { host, series in
            guard let fake = hosted(host), let series = series?.pointee else { return 0 }
            return fake.open(series)
        }
        record.pointee.series_close = { host, handle in
            guard let fake = hosted(host), handle > 0, handle <= fake.series.count else { return }
            fake.series[Int(handle) - 1].isOpen = false
        }
        record.pointee.commit = { host, samples, count, checkpoint in
            guard let fake = hosted(host) else { return sonde_commit_status(SONDE_COMMIT_STOPPING) }
            return fake.commit(UnsafeBufferPointer(start: samples, count: count), checkpoint?.pointee)
        }
        record.pointee.load_checkpoint = { host in
            guard let fake = hosted(host), let bytes = fake.checkpoint else { return sonde_bytes() }
            let kept = fake.keep(String(repeating: " ", count: bytes.count))
            let block = UnsafeMutableRawPointer(mutating: kept.data)
            block?.copyMemory(from: bytes, byteCount: bytes.count)
            return sonde_bytes(data: block, size: bytes.count)
        }
    }

    private func open(_ series: sonde_series) -> UInt64 {
        let pairs = UnsafeBufferPointer(start: series.attributes, count: series.attribute_count)
        let specification = SeriesSpecification(
            name: text(series.name),
            kind: MetricKind(rawValue: series.kind) ?? .gauge,
            unit: text(series.unit),
            attributes: pairs.map { Attribute(text($0.name), text($0.value)) },
            start: series.start_time_ns == 0 ? nil : Timestamp(nanoseconds: series.start_time_ns),
            counterBits: series.counter_bits == 0 ? nil : Int(series.counter_bits),
            level: version == .first ? nil : MetricLevel(number: series.level)
        )
        if let known = self.series.firstIndex(where: {
            $0.isOpen && $0.specification.name == specification.name
                && $0.specification.attributes == specification.attributes
        }) {
            return UInt64(known + 1)
        }
        guard self.series.filter(\.isOpen).count < seriesBound else { return 0 }
        self.series.append(OpenedSeries(specification: specification))
        return UInt64(self.series.count)
    }

    private func commit(
        _ samples: UnsafeBufferPointer<sonde_sample>,
        _ checkpoint: sonde_checkpoint?
    ) -> sonde_commit_status {
        switch commitAnswers.isEmpty ? .taken : commitAnswers.removeFirst() {
        case .busy: return sonde_commit_status(SONDE_COMMIT_BUSY)
        case .stopping: return sonde_commit_status(SONDE_COMMIT_STOPPING)
        case .taken: break
        }
        commits.append(samples.compactMap(spelledOut))
        if let checkpoint {
            self.checkpoint = [UInt8](UnsafeRawBufferPointer(start: checkpoint.data.data, count: checkpoint.data.size))
        }
        return sonde_commit_status(SONDE_COMMIT_OK)
    }

    private func spelledOut(_ sample: sonde_sample) -> CommittedSample? {
        guard sample.series > 0, sample.series <= series.count, series[Int(sample.series) - 1].isOpen else {
            return nil
        }
        let value: SampleValue
        switch Int32(sample.value_type) {
        case Int32(SONDE_VALUE_UINT64): value = .unsigned(sample.value.u64)
        case Int32(SONDE_VALUE_INT64): value = .signed(sample.value.i64)
        case Int32(SONDE_VALUE_DOUBLE): value = .double(sample.value.f64)
        default:
            guard let raw = sample.value.histogram?.pointee, let histogram = histogram(raw) else { return nil }
            value = .histogram(histogram)
        }
        let specification = series[Int(sample.series) - 1].specification
        return CommittedSample(
            name: specification.name,
            attributes: specification.attributes,
            value: value,
            time: sample.time_ns == 0 ? nil : Timestamp(nanoseconds: sample.time_ns)
        )
    }

    private func histogram(_ raw: sonde_histogram) -> HistogramValue? {
        HistogramValue(
            bounds: Array(UnsafeBufferPointer(start: raw.bounds, count: Int(raw.bound_count))),
            counts: Array(UnsafeBufferPointer(start: raw.counts, count: Int(raw.bound_count) + 1)),
            sum: raw.sum.isNaN ? nil : raw.sum
        )
    }
}
