import SondeTestKit

/// dnsperf, which sends a resolver of this host the same queries repeatedly.
enum DNSLoad {
    /// Three of names that are there, one of a name that is not, and one that the resolver cannot answer.
    static let questions = "a.example A\nb.example AAAA\nc.example TXT\nnone.example A\nother.org A\n"
    /// How many questions a round has.
    static let count = 5

    /// All questions, `rounds` times, at a pace at which some seconds can be rotated in.
    static func start(
        _ folder: LogFolder, port: UInt16, rounds: Int, transport: String = "udp"
    ) throws -> TestProcess {
        try folder.write(questions, to: "questions")
        let words = "-s 127.0.0.1 -p \(port) -n \(rounds) -t 10 -c 1 -q 20 -Q 1500 -m \(transport) -d"
        return try TestProcess("dnsperf", words.split(separator: " ").map(String.init) + [folder.file("questions")])
    }

    /// What dnsperf reports as answered; nil as long as it runs.
    static func answered(_ load: TestProcess) -> UInt64? {
        guard load.hasEnded,
            let line = load.output.split(separator: "\n").first(where: { $0.contains("Queries completed:") })
        else { return nil }
        return line.split(separator: " ").lazy.compactMap { UInt64($0) }.first
    }
}
