/// One request as a server saw it.
struct ReceivedRequest: Hashable, Sendable {
    /// `POST /path HTTP/1.1`.
    var line: String
    /// Names as they were sent, in order.
    var headers: [Header]
    var body: [UInt8]
    /// Which connection of the server, from 0.
    var connection: Int

    struct Header: Hashable, Sendable {
        var name: String
        var value: String
    }

    /// The value of a header; nil when it is not there or more than once.
    func header(_ name: String) -> String? {
        let values = headers.filter { $0.name.lowercased() == name.lowercased() }
        return values.count == 1 ? values[0].value : nil
    }

    init(head: String, body: [UInt8], connection: Int) {
        let lines = head.split(separator: "\r\n", omittingEmptySubsequences: true).map(String.init)
        line = lines.first ?? ""
        headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return Header(name: String(parts[0]), value: parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
        }
        self.body = body
        self.connection = connection
    }
}
