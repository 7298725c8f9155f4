// What each rule of programs expects and what a person does about it; docs/guide/testing-a-plugin.md has the same table.
extension ProgramRule {
    /// What is expected, in one sentence.
    public var expectation: String {
        switch self {
        case .program: "It is a program that the agent may run, and its options fit together."
        case .works: "It prints a sample, or answers a batch, and a run ends in time with success."
        case .startsAgain: "It works again after it was killed at any moment."
        case .twoAtOnce: "Two of it work side by side."
        case .ends: "It ends by itself once it is asked to stop or its input ends: a source in 2 s, a sink in 1 s."
        case .silentAfterStop: "After `stop` it commits once more at most."
        case .leavesNothing: "When it has ended, nothing that it started runs on."
        case .noLeak: "While it works it takes no more and more memory, descriptors or processes."
        case .output: "Every line that it prints can be read in its format."
        case .metricNames: "Names of metrics are lower-case words joined by dots, without unit or `total` at the end."
        case .metricUnits: "Units are base units or {things}, and fit the kind of the metric."
        case .times: "No sample is of a time that has not been."
        case .seriesOnce: "One name with the same attributes is one series, with one sample of each time."
        case .counters: "Counters do not fall from one reading to the next."
        case .errorsTyped: "With options that are wrong it works, or says why in an `error` message."
        case .checkpoint: "It goes on from the position that it committed."
        case .newerAgent: "It passes over messages, and members of them, that it does not know."
        case .oneAnswer: "It answers each batch with one line, once it has read it whole."
        case .everyValue: "A batch with every kind of value is delivered."
        case .hostileLabels: "A batch with hostile texts is delivered, or refused for its data."
        case .sameBatchTwice: "The same batch can be delivered twice."
        }
    }

    /// What the author of a program does where it is not so.
    public var advice: String {
        switch self {
        case .program: "The error says what to correct; its page in docs/errors says more."
        case .works: "Run it by hand, and with sonde once -c sample.yaml."
        case .startsAgain: "Leave no lock or half a file behind, or take over what a dead process has left."
        case .twoAtOnce: "Keep what it writes apart by its process, or lock it for moments only."
        case .ends: "Read standard input, and exit at its end or upon stop; sonde.py and sonde.sh do."
        case .silentAfterStop: "Leave the loop upon stop; commit once more before it if there is something."
        case .leavesNothing: "Wait for what it starts; the agent kills the rest."
        case .noLeak: "Close what each reading opens, wait for what it starts, and keep no list that grows."
        case .output: "Print nothing else on standard output; write what is for people to standard error."
        case .metricNames: "Rename it after docs/decisions/0046-names-of-metrics.md."
        case .metricUnits: "Report base units: s, By, 1, {packet}; info has none."
        case .times: "Print times in UTC, or none: it is then that of the run."
        case .seriesOnce: "Distinguish series by attributes; print each with one kind and unit."
        case .counters: "Print the running total, or another kind than counter."
        case .errorsTyped: "Print {\"type\":\"error\",\"class\":\"configuration\",\"message\":…,\"option\":…} and exit."
        case .checkpoint: "Read what was committed as it was written, an older version of it too."
        case .newerAgent: "Look at the type of a message and the members you need, and at nothing else."
        case .oneAnswer: "Read as many lines as the header says, then print one line and flush it."
        case .everyValue: "Handle every kind of docs/spec/json-line.schema.json; reject what cannot be kept."
        case .hostileLabels: "Decode each line as JSON; put no text into a command or a path."
        case .sameBatchTwice: "Keep nothing of a batch that makes its repetition an error."
        }
    }
}
