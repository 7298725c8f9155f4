import Foundation
import SondeTestKit

/// A broker that refuses every password, in a process of its own.
final class RefusingBroker {
    let address: String
    private let process: TestProcess

    /// A broker, over TLS with `arguments` as `Fixtures/broker.py` reads them.
    init(_ arguments: [String] = []) throws {
        process = try TestProcess("python3", ["-B", Fixtures.directory + "/broker.py"] + arguments)
        var lines = process.output.split(separator: "\n")
        while lines.isEmpty, !process.hasEnded {
            usleep(5_000)
            lines = process.output.split(separator: "\n")
        }
        guard let port = lines.first.flatMap({ UInt16($0) }) else { throw MockCluster.Failure(reason: process.output) }
        address = "127.0.0.1:\(port)"
    }

    /// What clients have sent to authenticate themselves, as hexadecimal digits.
    var exchanges: [Substring] { Array(process.output.split(separator: "\n").dropFirst()) }
}
