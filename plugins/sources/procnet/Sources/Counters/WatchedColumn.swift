/// The columns that ratios are made of.
enum WatchedColumn: String, CaseIterable {
    case sentSegments = "Tcp OutSegs"
    case retransmittedSegments = "Tcp RetransSegs"
    case activeOpens = "Tcp ActiveOpens"
    case passiveOpens = "Tcp PassiveOpens"
    case resetConnections = "Tcp EstabResets"
    case listenOverflows = "TcpExt ListenOverflows"
    case datagrams = "Udp InDatagrams"
    case fullBuffers = "Udp RcvbufErrors"
    case datagrams6 = "Udp6InDatagrams"
    case fullBuffers6 = "Udp6RcvbufErrors"

    /// Where it stands among all of them.
    var index: Int {
        switch self {
        case .sentSegments: 0
        case .retransmittedSegments: 1
        case .activeOpens: 2
        case .passiveOpens: 3
        case .resetConnections: 4
        case .listenOverflows: 5
        case .datagrams: 6
        case .fullBuffers: 7
        case .datagrams6: 8
        case .fullBuffers6: 9
        }
    }

    /// The table that it stands in.
    var table: ProcTable {
        switch self {
        case .listenOverflows: .netstat
        case .datagrams6, .fullBuffers6: .snmp6
        default: .snmp
        }
    }

    /// Where the watched columns of a table stand among its numbers.
    ///
    /// The key of a section lists its columns: behind the row's name, or, in snmp6, which has no rows, alone.
    static func places(_ sections: [TableSection], of table: ProcTable) -> [WatchedColumn: Int] {
        var places: [WatchedColumn: Int] = [:]
        var first = 0
        for section in sections {
            let words = section.key.split(separator: " ")
            let hasRow = table != .snmp6
            for (index, word) in words.dropFirst(hasRow ? 1 : 0).enumerated() {
                let name = hasRow ? "\(words[0]) \(word)" : String(word)
                if let column = WatchedColumn(rawValue: name), column.table == table { places[column] = first &+ index }
            }
            first &+= section.count
        }
        return places
    }
}
