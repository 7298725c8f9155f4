internal import SondeDomain

/// One column of `/proc/net/dev`.
struct DeviceColumn: Hashable {
    let direction: Direction
    /// As the header spells it, `errs`.
    let name: String

    /// The columns that a header line names, or nil when it is no header line.
    static func columns(ofHeader line: UnsafeRawBufferPointer, limit: Int) -> [DeviceColumn]? {
        let groups = line.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
        guard
            groups.count == 3,
            let face = KernelText.words(UnsafeRawBufferPointer(rebasing: groups[0]), limit: 1),
            face == ["face"],
            let received = KernelText.words(UnsafeRawBufferPointer(rebasing: groups[1]), limit: limit),
            let sent = KernelText.words(UnsafeRawBufferPointer(rebasing: groups[2]), limit: limit)
        else { return nil }
        return received.map { DeviceColumn(direction: .receive, name: $0) }
            + sent.map { DeviceColumn(direction: .transmit, name: $0) }
    }

    /// The column's metric for one interface.
    func column(interface: String) -> TableColumn? {
        guard let known = NetworkMetrics.byColumn[name] else { return unknownColumn(interface: interface) }
        return TableColumn(
            metric: known, attributes: [Attribute("network.interface.name", interface), direction.attribute])
    }

    private func unknownColumn(interface: String) -> TableColumn? {
        let column = SnakeCase.name(name)
        guard !column.isEmpty else { return nil }
        return TableColumn(
            metric: NetworkMetrics.interfaceColumn(column, kernelName: name),
            attributes: [
                Attribute("network.interface.name", interface), direction.attribute,
            ],
            isKnown: false
        )
    }
}

/// The attribute `network.io.direction`.
enum Direction: String, Hashable {
    case receive
    case transmit

    var attribute: Attribute { Attribute("network.io.direction", rawValue) }
}
