import Foundation

@testable import PcapPlugin

/// The numbers of a report's JSON by their path, `dns.rcode.NXDOMAIN`.
struct FlatReport {
    private(set) var counts: [String: Double] = [:]
    let error: String?

    init(_ capture: [UInt8]) throws {
        let file = TemporaryFile(capture)
        var run = InspectRun()
        try run.read(CaptureInput(file.descriptor))
        error = run.report.failure?.code
        let json = try JSONSerialization.jsonObject(with: Data(run.report.json))
        add(json, "")
        withExtendedLifetime(file) {}
    }

    private mutating func add(_ value: Any, _ path: String) {
        if let object = value as? [String: Any] {
            for (key, value) in object { add(value, path.isEmpty ? key : "\(path).\(key)") }
        } else if let number = value as? NSNumber, path != "complete" {
            counts[path] = number.doubleValue
        }
    }
}
