internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondeFormats
internal import SondeGateways
internal import SondePresentation

/// `spool-purge`: drops what waits for sinks, or dead letters, after a confirmation.
struct SpoolPurgeCommand {
    let session: Session

    func run() throws(SondeError) -> ExitCode {
        let query = AgentQuery.intoSpool(session)
        let before = try before()
        let sinks = try sinks(query)
        if !session.arguments.spool.isConfirmed {
            for sink in sinks {
                let preview = try query.ask("spool.purge", members(sink, before, isConfirmed: false), for: "purge")
                let code = StandardStream.output(Array("\(PurgePreview(preview, before: before).sentence)\n".utf8))
                guard code == .ok else { return code }
            }
            guard isatty(STDIN_FILENO) == 1 else {
                StandardStream.error("nothing was dropped: say --yes to drop it")
                return .usage
            }
            guard isAffirmed() else { return .ok }
        }
        var orders: [JSONValue] = []
        for sink in sinks {
            orders.append(try query.ask("spool.purge", members(sink, before, isConfirmed: true), for: "order"))
        }
        return try OrderWait(session: session).follow(orders)
    }

    private func isAffirmed() -> Bool {
        _ = "Drop it permanently? [y/N] ".utf8.withContiguousStorageIfAvailable {
            write(STDERR_FILENO, $0.baseAddress, $0.count)
        }
        let answer = readLine() ?? ""
        return answer == "y" || answer == "Y" || answer == "yes"
    }

    private func sinks(_ query: AgentQuery) throws(SondeError) -> [String] {
        if let sink = session.arguments.spool.sink { return [sink] }
        let status = try query.ask("spool.status", for: "spool")
        return (status["sinks"]?.asArray ?? []).compactMap { $0["id"]?.asString }
    }

    /// The instant before which everything is dropped, as text; an age counts from now.
    private func before() throws(SondeError) -> String? {
        guard let text = session.arguments.spool.before else { return nil }
        let instant: Timestamp
        if let given = InstantText.parse(text) {
            instant = given
        } else if let age = try? DurationText.parse(text) {
            let (value, overflow) = session.clock.wallTime.nanoseconds.subtractingReportingOverflow(age.value)
            instant = Timestamp(nanoseconds: overflow ? .min : value)
        } else {
            throw SondeError(
                .controlArgumentInvalid, stage: .control, class: .permanentData,
                message: "'\(text)' is neither an instant nor an age")
        }
        var buffer = ByteBuffer()
        buffer.append(time: instant)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    private func members(_ sink: String, _ before: String?, isConfirmed: Bool) -> [JSONValue.Member] {
        let spool = session.arguments.spool
        var members = [JSONValue.Member("sink", .string(sink))]
        if spool.isOfDeadLetters { members.append(JSONValue.Member("dead_letters", .bool(true))) }
        if let before { members.append(JSONValue.Member("before", .string(before))) }
        if spool.isAll { members.append(JSONValue.Member("all", .bool(true))) }
        if isConfirmed { members.append(JSONValue.Member("confirm", .bool(true))) }
        return members
    }
}
