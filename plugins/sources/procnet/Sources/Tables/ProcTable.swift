/// The files that this source reads.
enum ProcTable: String, CaseIterable {
    case dev
    case snmp
    case snmp6
    case netstat
    case sockstat
    case sockstat6

    /// Below `/proc`.
    var path: String { "net/\(rawValue)" }

    /// How it is read; of snmp, snmp6 and netstat the columns of the choice.
    func makeFormat(_ choice: CounterChoice = CounterChoice([CounterChoice.allWord])) -> any TableFormat {
        switch self {
        case .dev: DeviceTable()
        case .snmp, .netstat: ProtocolTable(self, choice)
        case .snmp6: NameValueTable(choice)
        case .sockstat, .sockstat6: SocketTable(self)
        }
    }
}
