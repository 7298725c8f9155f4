internal import SondeDomain

/// The arguments of the commands about the spool.
struct SpoolArguments {
    /// How many points are shown by default.
    static let standardLimit: UInt64 = 1_000

    private let arguments: Arguments
    /// The numbers of the selected points.
    private let stretch: SequenceText?

    init(_ arguments: Arguments) {
        self.arguments = arguments
        stretch = arguments.command == .spoolShow ? arguments.name.flatMap(SequenceText.init) : nil
    }

    var sink: String? { arguments[.sink] }
    var deadLetter: String? { arguments[.deadLetter] }
    var from: UInt64? { stretch?.first }
    var to: UInt64? { stretch?.last }
    var limit: UInt64 { arguments[.limit].flatMap { UInt64($0) } ?? Self.standardLimit }
    var before: String? { arguments[.before] }
    var isOfDeadLetters: Bool { arguments.has(.deadLetters) }
    var isAll: Bool { arguments.has(.all) }
    var isConfirmed: Bool { arguments.has(.yes) }
}

extension Arguments {
    var spool: SpoolArguments { SpoolArguments(self) }

    /// Refuses a value that is not a number where one is required.
    func checkNumbers() throws(Flaw) {
        if let text = self[.limit], UInt64(text) == nil { throw Flaw(message: "--limit needs a number") }
        if command == .spoolShow, let name, SequenceText(name) == nil {
            throw Flaw(message: "'\(name)' is not a sequence number")
        }
    }
}
