/// What a server can do to a request.
enum Answer {
    /// Reads the request and answers it; the connection stays.
    static func status(_ status: Int, _ headers: [String] = [], body: String = "") -> FaultServer.Step {
        { connection in
            guard connection.readRequest() else { return connection.finish() }
            connection.write(head("\(status) Words", headers + ["Content-Length: \(body.utf8.count)"]) + body)
        }
    }

    /// Reads the request, sends these bytes as they are, and closes.
    static func raw(_ text: String) -> FaultServer.Step {
        { connection in
            if connection.readRequest() { connection.write(text) }
            connection.finish()
        }
    }

    /// Never reads, never answers.
    static let hang: FaultServer.Step = { $0.waitForEnd() }

    /// Reads the request and never answers.
    static let silence: FaultServer.Step = { connection in
        connection.readRequest()
        connection.waitForEnd()
    }

    /// Reads the request and closes.
    static let nothing: FaultServer.Step = raw("")

    /// Closes with RST and leaves the request unread.
    static let resetBeforeReading: FaultServer.Step = { $0.reset() }

    /// Reads the request and closes with RST.
    static let resetAfterReading: FaultServer.Step = { connection in
        connection.readRequest()
        connection.reset()
    }

    /// Answers from the header section alone and closes, while the body is still on its way.
    static func early(_ status: Int) -> FaultServer.Step {
        { connection in
            if connection.readHeadOnly() {
                connection.write(head("\(status) Words", ["Content-Length: 0", "Connection: close"]))
            }
            connection.finishLingering()
        }
    }

    /// Sends `start`, and then one byte of `drip` after the other for as long as the client waits.
    static func slow(_ start: String, drip: String) -> FaultServer.Step {
        { connection in
            connection.readRequest()
            connection.write(start)
            var index = drip.utf8.startIndex
            while connection.pause(milliseconds: 20), connection.write([drip.utf8[index]]) {
                index = drip.utf8.index(after: index)
                if index == drip.utf8.endIndex { index = drip.utf8.startIndex }
            }
            connection.finish()
        }
    }

    /// Sends `start`, and then `block` again and again, `count` times at most.
    static func flood(_ start: String, _ block: String, count: Int) -> FaultServer.Step {
        { connection in
            connection.readRequest()
            connection.write(start)
            let bytes = Array(block.utf8)
            var left = count
            while left > 0, connection.write(bytes) { left -= 1 }
            connection.finish()
        }
    }

    static func head(_ status: String, _ headers: [String]) -> String {
        (["HTTP/1.1 \(status)"] + headers).joined(separator: "\r\n") + "\r\n\r\n"
    }
}
