internal import CLinux

/// The system call for which a sandbox has ended a process, as the process says it on standard error.
struct RefusedCall {
    // Of CLinux/anchor.c.
    private static let words: [Substring] = ["was", "refused", "system", "call"]

    private let number: Int32

    /// The call that a line names; nil: it names none.
    init?(in line: String) {
        let words = line.split(separator: " ")
        let place = words.indices.first { words[$0...].starts(with: Self.words) }
        guard let place, case let next = place + Self.words.count, next < words.count, let number = Int32(words[next])
        else {
            return nil
        }
        self.number = number
    }

    /// What was seen, for a report.
    var text: String {
        let name = sonde_system_call_name(number).map { "\(String(cString: $0)) (system call \(number))" }
        return "the sandbox refused \(name ?? "system call \(number)"), which ended the process"
    }
}
