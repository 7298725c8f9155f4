import SondeDomain
import SondeEngine
import SondeGateways
import SondeTestKit

extension DeliverySimulation {
    /// A simulation of what the seed draws, over the real log.
    convenience init(seed: UInt64, traceLength: Int = 60) {
        self.init(seed: seed, traceLength: traceLength) {
            (plan, fileSystem, clock, epoch) throws(SondeError) -> any SpoolStore in
            guard !plan.isInMemory else {
                return MemorySpool(epoch: epoch, maxBytes: plan.maxBytes, overflow: plan.overflow)
            }
            var settings = DiskSpoolSettings(directory: "/spool", maxBytes: plan.maxBytes)
            settings.segmentBytes = plan.segmentBytes
            settings.minFree = 0
            settings.overflow = plan.overflow
            settings.synchronization =
                switch plan.synchronization {
                case .interval: .interval
                case .always: .always
                case .none: .none
                }
            guard let newEpoch = SpoolEpoch(epoch) else { throw .fake(.programmer) }
            settings.memoryBytes = plan.maxBytes / 4
            let disk = try DiskSpool(settings, fileSystem: fileSystem, clock: clock, newEpoch: newEpoch)
            let first = DeliverySimulation.firstInMemory(epoch)
            let (bound, overflow) = (plan.maxBytes, plan.overflow)
            return FailoverSpool(disk, clock: clock) {
                MemorySpool(epoch: "1\(epoch.dropFirst())", maxBytes: bound, overflow: overflow, first: first)
            }
        }
    }
}
