internal import CSondePlugin
internal import SondeDomain
internal import SondeEngine

extension ObjectPlugin: FileInspecting {
    func inspect(
        _ file: InspectedFile,
        services: any PluginServices,
        _ call: CallConditions,
        write: @escaping (UnsafeRawBufferPointer) -> Bool
    ) throws(SondeError) -> InspectionOutcome {
        guard let inspect = table.raw.pointee.inspect else { return .notOffered }
        let options = DefaultText.values(of: descriptor.options)
        let host = InstanceHost(
            id: descriptor.name, options: options, descriptor: descriptor, role: .inspector(services))
        let instance = try CInstance(table, host)
        defer { instance.close() }
        let output = InspectionOutput(write)
        let strings = ContractStrings()
        let texts = (path: strings.store(file.path), format: strings.store(file.format))
        return try withExtendedLifetime((output, strings)) { () throws(SondeError) in
            try instance.inspect { instance, failure in
                file.head.withUnsafeBytes { head in
                    var inspection = output.record
                    inspection.fd = file.descriptor
                    inspection.path = texts.path
                    inspection.format = texts.format
                    inspection.head = sonde_bytes(data: head.baseAddress, size: head.count)
                    var call = sonde_call(call)
                    return inspect(instance, &inspection, &call, failure)
                }
            }
        }
    }
}

extension CInstance {
    /// Runs `inspect`, the only call that may report that a file is not for this plugin.
    func inspect(
        _ body: (UnsafeMutableRawPointer?, UnsafeMutablePointer<sonde_error>) -> sonde_status
    ) throws(SondeError) -> InspectionOutcome {
        var isUnsuited = false
        do throws(SondeError) {
            let outcome = try call(.inspect) { instance, failure in
                let status = body(instance, failure)
                isUnsuited = status == SONDE_UNSUITED
                return isUnsuited ? sonde_status(SONDE_FAILED) : status
            }
            return outcome == .completed ? .completed : .cancelled
        } catch {
            guard isUnsuited else { throw error }
            return .unsuited(error)
        }
    }
}

/// The output of a plugin's report.
private final class InspectionOutput {
    private let write: (UnsafeRawBufferPointer) -> Bool

    init(_ write: @escaping (UnsafeRawBufferPointer) -> Bool) {
        self.write = write
    }

    /// The contract's struct with the output in it; the rest is to be filled.
    var record: sonde_inspection {
        var record = sonde_inspection()
        record.struct_size = UInt32(MemoryLayout<sonde_inspection>.size)
        record.context = Unmanaged.passUnretained(self).toOpaque()
        record.write = { context, data, size in
            guard let context else { return 0 }
            let output = Unmanaged<InspectionOutput>.fromOpaque(context).takeUnretainedValue()
            return output.write(UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size)) ? 1 : 0
        }
        return record
    }
}
