import SondeTestKit

/// dnsperf, which asks a resolver of this host the same four questions over and over: three of names that are there, one of
/// a name that is not.
enum DNSLoad {
    /// What each round asks.
    static let questions = "a.example A\nb.example AAAA\nc.example TXT\nnone.example A\n"

    /// Four questions, `rounds` times.
    static func start(
        _ folder: LogFolder, port: UInt16, rounds: Int, transport: String = "udp"
    ) throws -> ChildProcess {
        try folder.write(questions, to: "questions")
        let words = "-s 127.0.0.1 -p \(port) -n \(rounds) -t 5 -c 1 -q 20 -m \(transport) -d".split(separator: " ")
        return try ChildProcess("dnsperf", words.map(String.init) + [folder.file("questions")])
    }

    /// What dnsperf says that it sent; nil as long as it runs.
    static func sent(_ load: ChildProcess) -> UInt64? { number("Queries sent:", load) }

    /// What dnsperf says that it got an answer to.
    static func answered(_ load: ChildProcess) -> UInt64? { number("Queries completed:", load) }

    private static func number(_ label: String, _ load: ChildProcess) -> UInt64? {
        guard load.hasEnded, let line = load.output.split(separator: "\n").first(where: { $0.contains(label) }) else {
            return nil
        }
        return line.split(separator: " ").lazy.compactMap { UInt64($0) }.first
    }
}
