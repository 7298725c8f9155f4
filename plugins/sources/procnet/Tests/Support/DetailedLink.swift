import Foundation

/// What `ip -s -s -j -d link` prints for one device.
struct DetailedLink: Decodable {
    private struct Information: Decodable {
        let kind: String?

        private enum CodingKeys: String, CodingKey {
            case kind = "info_kind"
        }
    }

    private struct Statistics: Decodable {
        let rx: [String: UInt64]
        let tx: [String: UInt64]
    }

    private enum CodingKeys: String, CodingKey {
        case name = "ifname"
        case operstate, address, mtu
        case information = "linkinfo"
        case statistics = "stats64"
    }

    let name: String
    let operstate: String
    let address: String?
    let mtu: UInt64
    private let information: Information?
    private let statistics: Statistics

    /// Everything that is compared.
    var text: String { "\(name) \(operstate) \(received) \(sent)" }

    var kind: String? { information?.kind }

    /// By metric; nil where this version of ip(8) does not print it.
    var received: [(metric: String, value: UInt64?)] {
        let rx = statistics.rx
        let dropped = rx["dropped"].map { $0 + (rx["missed_errors"] ?? rx["missed"] ?? 0) }
        return [
            ("system.network.io", rx["bytes"]), ("system.network.errors", rx["errors"]),
            ("system.network.packet.dropped", dropped), ("sonde.network.interface.multicast", rx["multicast"]),
            ("sonde.network.interface.length_error", rx["length_errors"]),
            ("sonde.network.interface.crc_error", rx["crc_errors"]),
            ("sonde.network.interface.alignment_error", rx["frame_errors"]),
            ("sonde.network.interface.fifo_error", rx["fifo_errors"]),
            ("sonde.network.interface.missed", rx["missed_errors"]),
            ("sonde.network.interface.no_handler", rx["nohandler"]),
        ]
    }

    /// The same of what was sent.
    var sent: [(metric: String, value: UInt64?)] {
        let tx = statistics.tx
        return [
            ("system.network.io", tx["bytes"]), ("system.network.errors", tx["errors"]),
            ("system.network.packet.dropped", tx["dropped"]),
            ("sonde.network.interface.collision", tx["collisions"]),
            ("sonde.network.interface.aborted_error", tx["aborted_errors"]),
            ("sonde.network.interface.fifo_error", tx["fifo_errors"]),
            ("sonde.network.interface.window_error", tx["window_errors"]),
            ("sonde.network.interface.heartbeat_error", tx["heartbeat_errors"]),
        ]
    }

    static func all() throws -> [DetailedLink] {
        try JSONDecoder().decode([DetailedLink].self, from: Tool("ip", ["-s", "-s", "-d", "-j", "link"]).run())
    }
}
