import Foundation
import Glibc

/// The experiments of docs/guide/drops.md: scripts, each with what it provokes.
struct DropExperiments {
    /// One of them.
    struct Experiment {
        /// A reason of drops, or a result of handshakes.
        let reason: String
        let network: String
        /// How many there are; nil: the script prints it last.
        let count: UInt64?
        let script: String

        /// The series that counts it.
        var series: (name: String, attributes: [String: String]) {
            reason == "abandoned"
                ? (
                    "sonde.trace.tcp.handshake.count",
                    ["sonde.tcp.handshake.result": reason, "network.type": network]
                ) : ("sonde.drop.packet.count", ["sonde.drop.reason": reason, "network.type": network])
        }
    }

    /// Whether they can be made here.
    static let isPossible =
        getuid() == 0 && access("/sys/kernel/tracing/events/skb/kfree_skb/format", R_OK) == 0 && Iproute.isInstalled
        && ["/usr/sbin/iptables-legacy", "/usr/sbin/tc", "/usr/bin/python3"].allSatisfy { (path: String) in
            access(path, X_OK) == 0
        }

    private(set) var setup = ""
    private(set) var cleanup = ""
    private(set) var all: [Experiment] = []

    /// Those of a page, with namespaces and files of names that nobody else has.
    init(page: String, unique: String) {
        var words: [Substring] = []
        var script: String?
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("<!-- experiment: ") {
                words = line.dropFirst(17).split(separator: " ").dropLast()
            } else if line == "```sh", !words.isEmpty {
                script = ""
            } else if line == "```", let text = script {
                add(words.map(String.init), text.replacingOccurrences(of: "drops-", with: "\(unique)-"))
                (words, script) = ([], nil)
            } else {
                script?.append("\(line)\n")
            }
        }
    }

    private mutating func add(_ words: [String], _ script: String) {
        switch (words.first, words.count) {
        case ("setup", _): setup = script
        case ("cleanup", _): cleanup = script
        case (let reason?, 3):
            all.append(Experiment(reason: reason, network: words[1], count: UInt64(words[2]), script: script))
        default: break
        }
    }
}
