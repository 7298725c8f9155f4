internal import CSondePlugin
internal import SondeDomain

/// One instance behind the contract's `void *`, with the roles it plays.
final class PluginInstance {
    let plugin: any Plugin
    let source: (any Source)?
    let ticking: (any TickingSource)?
    let streaming: (any StreamingSource)?
    let sink: (any Sink)?
    let serving: (any ServingSink)?
    let probing: (any ProbingSink)?
    let inspector: (any Inspector)?
    private var series = SeriesCache()
    private var entries: [Batch.Entry] = []

    init(_ plugin: any Plugin) {
        self.plugin = plugin
        source = plugin as? any Source
        ticking = plugin as? any TickingSource
        streaming = plugin as? any StreamingSource
        sink = plugin as? any Sink
        serving = plugin as? any ServingSink
        probing = plugin as? any ProbingSink
        inspector = plugin as? any Inspector
    }

    /// The batch in the domain's terms; series are made once and kept, and so is the memory of a large one.
    func domainBatch(_ batch: sonde_batch) -> Batch {
        defer { entries = entries.forReuse }
        return Batch(batch, &series, &entries)
    }
}

/// Runs a call on the instance behind `instance` and reports what it throws.
func forwarding(
    to instance: UnsafeMutableRawPointer?,
    _ failure: UnsafeMutablePointer<sonde_error>?,
    _ body: (PluginInstance) throws(PluginError) -> Void
) -> sonde_status {
    guard let instance else { return sonde_status(SONDE_FAILED) }
    let box = Unmanaged<PluginInstance>.fromOpaque(instance).takeUnretainedValue()
    do throws(PluginError) {
        try body(box)
        return sonde_status(SONDE_OK)
    } catch {
        return error.report(to: failure)
    }
}

/// Runs a call that has conditions.
func forwarding(
    to instance: UnsafeMutableRawPointer?,
    _ call: UnsafePointer<sonde_call>?,
    _ failure: UnsafeMutablePointer<sonde_error>?,
    _ body: (PluginInstance, PluginCall) throws(PluginError) -> Void
) -> sonde_status {
    guard let call = sonde_call(copying: call) else { return sonde_status(SONDE_FAILED) }
    return forwarding(to: instance, failure) { box throws(PluginError) in
        try body(box, PluginCall(call))
    }
}

extension PluginError {
    /// Fills the contract's error and returns the call's status.
    func report(to failure: UnsafeMutablePointer<sonde_error>?) -> sonde_status {
        guard !isCancellation else { return sonde_status(SONDE_CANCELLED) }
        guard let failure else { return sonde_status(SONDE_FAILED) }
        failure.pointee.error_class = failureClass.rawValue
        failure.pointee.retry_after_ns = retryAfter?.value ?? Int64(SONDE_RETRY_AFTER_NONE)
        withUnsafeMutableBytes(of: &failure.pointee.code) { code.copy(into: $0) }
        withUnsafeMutableBytes(of: &failure.pointee.message) { message.copy(into: $0) }
        withUnsafeMutableBytes(of: &failure.pointee.hint) { hint.copy(into: $0) }
        withUnsafeMutableBytes(of: &failure.pointee.option_path) { optionPath.copy(into: $0) }
        return sonde_status(isUnsuited ? SONDE_UNSUITED : SONDE_FAILED)
    }
}
