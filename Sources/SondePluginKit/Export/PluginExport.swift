public import CSondePlugin
package import SondeDomain

/// Turns a Swift type into the table that the contract requires. One line makes a shared object a plugin:
///
///     @c(sonde_plugin_uptime) public func entry() -> UnsafePointer<sonde_plugin> { exportPlugin(Uptime.self) }
///
/// Each call makes a new table, which lives as long as the process; the host calls the entry function once.
public func exportPlugin(_ type: any Plugin.Type) -> UnsafePointer<sonde_plugin> {
    // Once: plugins make it at each call.
    let descriptor = type.descriptor
    let box = PluginType(type, descriptor)
    var table = sonde_plugin()
    table.struct_size = UInt32(MemoryLayout<sonde_plugin>.size)
    table.kind = UInt32(descriptor.kind == .source ? SONDE_PLUGIN_SOURCE : SONDE_PLUGIN_SINK)
    table.context = Unmanaged.passRetained(box).toOpaque()
    table.describe = describePlugin
    table.create = { plugin, host, instance, error in
        PluginType.of(plugin).create(host, instance, error)
    }
    table.start = { instance, error in
        forwarding(to: instance, error) { box throws(PluginError) in try box.plugin.start() }
    }
    if type is any Source.Type {
        table.collect = { instance, call, error in
            forwarding(to: instance, call, error) { box, call throws(PluginError) in try box.source?.collect(call) }
        }
    }
    if type is any TickingSource.Type {
        table.tick = { instance, call, error in
            forwarding(to: instance, call, error) { box, call throws(PluginError) in try box.ticking?.tick(call) }
        }
    }
    if type is any StreamingSource.Type {
        table.run = { instance, call, error in
            forwarding(to: instance, call, error) { box, call throws(PluginError) in try box.streaming?.run(call) }
        }
    }
    if type is any Sink.Type {
        table.deliver = deliverBatch
    }
    if type is any ServingSink.Type {
        table.run = { instance, call, error in
            forwarding(to: instance, call, error) { box, call throws(PluginError) in try box.serving?.run(call) }
        }
    }
    if type is any ProbingSink.Type {
        table.probe = { instance, call, error in
            forwarding(to: instance, call, error) { box, call throws(PluginError) in try box.probing?.probe(call) }
        }
    }
    if type is any Inspector.Type {
        table.inspect = inspectFile
    }
    table.destroy = { instance in
        guard let instance else { return }
        Unmanaged<PluginInstance>.fromOpaque(instance).release()
    }
    let pointer = UnsafeMutablePointer<sonde_plugin>.allocate(capacity: 1)
    pointer.initialize(to: table)
    return UnsafePointer(pointer)
}

/// What a table that this copy of the kit has made describes, without the way through JSON; nil: another has made it.
package func exportedDescriptor(of table: UnsafePointer<sonde_plugin>) -> PluginDescriptor? {
    // Functions of C cannot be compared in Swift; their addresses can.
    guard let describe = table.pointee.describe,
        unsafeBitCast(describe, to: Int.self) == unsafeBitCast(describePlugin, to: Int.self)
    else { return nil }
    return PluginType.of(table).descriptor
}

private let describePlugin: @convention(c) (UnsafePointer<sonde_plugin>?) -> sonde_string = {
    PluginType.of($0).description
}

private let deliverBatch:
    @convention(c) (
        UnsafeMutableRawPointer?, UnsafePointer<sonde_batch>?, UnsafePointer<sonde_call>?,
        UnsafeMutablePointer<sonde_delivery>?, UnsafeMutablePointer<sonde_error>?
    ) -> sonde_status = { instance, batch, call, delivery, error in
        forwarding(to: instance, call, error) { box, call throws(PluginError) in
            guard let batch = sonde_batch(copying: batch), let sink = box.sink else { return }
            let result = try sink.deliver(box.domainBatch(batch), call)
            delivery?.pointee.rejected_points = result.rejectedPoints
            if let delivery {
                withUnsafeMutableBytes(of: &delivery.pointee.message) { result.message.copy(into: $0) }
            }
        }
    }

private let inspectFile:
    @convention(c) (
        UnsafeMutableRawPointer?, UnsafePointer<sonde_inspection>?, UnsafePointer<sonde_call>?,
        UnsafeMutablePointer<sonde_error>?
    ) -> sonde_status = { instance, inspection, call, error in
        forwarding(to: instance, call, error) { box, call throws(PluginError) in
            guard let inspection else { return }
            try box.inspector?.inspect(Inspection(inspection), call)
        }
    }
