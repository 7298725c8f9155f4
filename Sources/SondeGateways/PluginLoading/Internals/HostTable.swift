internal import CSondePlugin
internal import SondeDomain
internal import SondeEngine

// The functions of the contract. C function pointers capture nothing, so each finds its instance behind `context`.

/// The host behind the pointer, from any thread.
private func anywhere(_ host: UnsafePointer<sonde_host>?) -> InstanceHost? {
    guard let context = host?.pointee.context else { return nil }
    return Unmanaged<InstanceHost>.fromOpaque(context).takeUnretainedValue()
}

/// The host behind the pointer, if the thread is inside a call of the instance.
private func inside(_ host: UnsafePointer<sonde_host>?) -> InstanceHost? {
    guard let host = anywhere(host) else { return nil }
    guard host.isOnCallingThread else {
        host.noteForeignThread()
        return nil
    }
    return host
}

/// Stores what `read` finds in the option, and returns whether there was a value.
private func store<Value>(
    _ host: UnsafePointer<sonde_host>?,
    _ path: sonde_string,
    _ out: UnsafeMutablePointer<Value>?,
    _ read: (OptionRecords.Record) -> Value?
) -> Int32 {
    guard let out, let record = anywhere(host)?.options[path], let value = read(record) else { return 0 }
    out.pointee = value
    return 1
}

extension sonde_host {
    /// A host with every function of the contract, and without an instance yet.
    static func table() -> sonde_host {
        var host = sonde_host()
        host.struct_size = UInt32(MemoryLayout<sonde_host>.size)
        host.abi_minor = SONDE_ABI_MINOR
        host.setServices()
        host.setScalarOptions()
        host.setCollectionOptions()
        host.setSeries()
        host.setTroubles()
        host.setTape()
        return host
    }

    private mutating func setServices() {
        log = { host, level, message in
            guard let host = anywhere(host) else { return }
            let text = String(message, cutAt: InstanceHost.messageLimit)
            host.log(LogLevel(rawValue: level) ?? .info, text ?? "(a malformed message)")
        }
        wall_time_ns = { anywhere($0)?.services.clock.wallTime.nanoseconds ?? 0 }
        monotonic_time_ns = { anywhere($0)?.services.clock.monotonicTime.nanoseconds ?? 0 }
        report_loss = { inside($0)?.reportLoss($1) }
        request_tick = { host, period in
            inside(host)?.requestTick(every: Nanoseconds(period)) == true ? 1 : 0
        }
        prefer_send = { inside($0)?.prefer($1) }
    }

    private mutating func setScalarOptions() {
        option_string = { host, path, out in
            store(host, path, out) { if case .string(let text) = $0 { text } else { nil } }
        }
        option_bool = { host, path, out in
            store(host, path, out) { if case .bool(let flag) = $0 { flag ? 1 : 0 } else { nil } }
        }
        option_int = { host, path, out in
            store(host, path, out) { if case .integer(let number) = $0 { number } else { nil } }
        }
        option_double = { host, path, out in
            store(host, path, out) { if case .double(let number) = $0 { number } else { nil } }
        }
        option_duration_ns = { host, path, out in
            store(host, path, out) { if case .duration(let span) = $0 { span } else { nil } }
        }
        option_size_bytes = { host, path, out in
            store(host, path, out) { if case .size(let bytes) = $0 { bytes } else { nil } }
        }
    }

    private mutating func setCollectionOptions() {
        option_list_count = { host, path in
            switch anywhere(host)?.options[path] {
            case .list(let items): items.count
            case .entries(let count): count
            default: 0
            }
        }
        option_list_item = { host, path, index, out in
            store(host, path, out) {
                guard case .list(let items) = $0, items.indices.contains(index) else { return nil }
                return items[index]
            }
        }
        option_map_count = { host, path in
            guard case .map(let pairs)? = anywhere(host)?.options[path] else { return 0 }
            return pairs.count
        }
        option_map_item = { host, path, index, key, value in
            guard
                let key, let value,
                case .map(let pairs)? = anywhere(host)?.options[path],
                pairs.indices.contains(index)
            else { return 0 }
            key.pointee = pairs[index].key
            value.pointee = pairs[index].value
            return 1
        }
    }

    private mutating func setTroubles() {
        report_trouble = { inside($0)?.reportTrouble($1, since: $2) == true ? 1 : 0 }
        clear_trouble = { inside($0)?.clearTrouble($1, $2) }
        reject_point = { inside($0)?.rejectPoint(at: $1, $2) }
    }

    private mutating func setTape() {
        tape_mode = { host in
            switch anywhere(host)?.tape?.mode {
            case .recording?: SONDE_TAPE_RECORD
            case .replaying?: SONDE_TAPE_REPLAY
            case nil: SONDE_TAPE_OFF
            }
        }
        tape_write = { inside($0)?.writeTape($1, $2) }
        tape_read = { host, key, out in
            guard let out, let bytes = inside(host)?.readTape(key) else { return 0 }
            out.pointee = bytes
            return 1
        }
        tape_step = { inside($0)?.tape?.step() == true ? 1 : 0 }
    }

    private mutating func setSeries() {
        series_open = { inside($0)?.openSeries($1) ?? 0 }
        series_close = { host, handle in inside(host)?.source?.closeSeries(handle) }
        commit = { host, samples, count, checkpoint in
            switch inside(host)?.commit(samples, count, checkpoint) {
            case .taken: sonde_commit_status(SONDE_COMMIT_OK)
            case .busy: sonde_commit_status(SONDE_COMMIT_BUSY)
            case .stopping, nil: sonde_commit_status(SONDE_COMMIT_STOPPING)
            }
        }
        load_checkpoint = { inside($0)?.loadCheckpoint() ?? sonde_bytes() }
    }
}
