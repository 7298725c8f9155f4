import SondeDNS
import SondeWire

/// What a ``DNSMonitor`` is made with.
package struct DNSSettings {
    /// How many names, clients and missing names are kept to find the heaviest; 0 for none.
    var rankingCapacity = 0
    var report = DNSReport.metrics
    var privacy = NamePrivacy.full
    var transactions = TransactionLimits()
    var reassembly = ReassemblyLimits()
    /// The ports of unicast DNS.
    var ports: [UInt16] = [53]
    /// The addresses of this host; without them roles are unknown.
    var hostAddresses: [IPAddress] = []
    /// A secret number, so that senders cannot choose packets whose hashes are the same.
    var seed: UInt64

    /// For live capture.
    package static var live: DNSSettings { DNSSettings(seed: .random(in: 0 ... .max)) }
}
