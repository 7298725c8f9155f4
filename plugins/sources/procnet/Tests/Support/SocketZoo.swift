import Glibc

/// TCP sockets on 127.0.0.1 in several states: a listener with two connections that wait, eight established ones with
/// those, three that one side has closed, and two in TIME-WAIT.
final class SocketZoo {
    let port: UInt16
    private var descriptors: [Int32] = []

    init() throws {
        let listener = try Loopback.bound(SOCK_STREAM)
        descriptors = [listener]
        guard listen(listener, 16) == 0 else { throw Loopback.Failure() }
        port = try Loopback.port(listener)
        for _ in 0..<2 { descriptors += try Self.connection(listener) }
        for _ in 0..<3 {
            let pair = try Self.connection(listener)
            shutdown(pair[0], Int32(SHUT_WR))
            descriptors += pair
        }
        for _ in 0..<2 {
            for descriptor in try Self.connection(listener) { close(descriptor) }
        }
        for _ in 0..<2 { descriptors.append(try Self.client(of: listener)) }
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }

    private static func client(of listener: Int32) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try Loopback.connect(descriptor, to: listener)
        return descriptor
    }

    private static func connection(_ listener: Int32) throws -> [Int32] {
        let client = try client(of: listener)
        return [client, accept(listener, nil, nil)]
    }
}
