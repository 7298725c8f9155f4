/// What is read beside the six tables and the sockets; the words of the option `tables`.
enum ExtraTable: String, CaseIterable {
    /// Packets on their way in, processor by processor.
    case softnet
    /// Connection tracking.
    case conntrack
    /// Neighbours: ARP and neighbour discovery.
    case neighbours
    /// Queueing disciplines.
    case queues
    /// Wireless devices.
    case wireless

    /// What the processors count of them.
    var part: ProcessorStage.Part? { ProcessorStage.Part(rawValue: rawValue) }

    /// What the route socket reports about them.
    var link: LinkExtras.Part? { LinkExtras.Part(rawValue: rawValue) }
}
