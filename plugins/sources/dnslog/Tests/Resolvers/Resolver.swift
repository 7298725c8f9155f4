import Glibc
import SondeTestKit

/// A resolver on loopback, with its own folder and the names that ``DNSLoad`` queries.
protocol Resolver: AnyObject {
    var process: TestProcess? { get set }
    var port: UInt16 { get set }

    /// Writes its configuration and starts it.
    func launch() throws -> TestProcess

    /// Whether it answers.
    func isUp() throws -> Bool
}

extension Resolver {
    /// Starts it, and waits until it answers; on another port when another process took that one.
    func start() throws {
        for _ in 0..<3 {
            port = LoopbackPort.free()
            let process = try launch()
            self.process = process
            try Patience.wait("the resolver does not come up: \(process.output)") {
                try process.hasEnded || isUp()
            }
            if !process.hasEnded { return }
        }
        throw Patience.Late(description: "the resolver does not come up: \(process?.output ?? "")")
    }

    func end() { process?.end() }
}

/// Waits for what other programs do.
enum Patience {
    struct Late: Error, CustomStringConvertible {
        let description: String
    }

    /// Queries every ten milliseconds, for half a minute.
    static func wait(_ complaint: @autoclosure () -> String, until isDone: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while !(try isDone()) {
            guard ContinuousClock.now < deadline else { throw Late(description: complaint()) }
            usleep(10_000)
        }
    }
}

extension String {
    /// Numbers by name, from lines with `separator` between them.
    func numbers(_ separator: Character) -> [String: UInt64] {
        split(separator: "\n").reduce(into: [:]) { numbers, line in
            let pair = line.split(separator: separator)
            if pair.count == 2, let number = UInt64(pair[1].drop { $0 == " " }) { numbers[String(pair[0])] = number }
        }
    }
}
