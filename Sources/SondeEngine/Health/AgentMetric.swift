internal import SondeDomain

/// A metric of the agent itself by its name.
enum AgentMetric: String, CaseIterable {
    case build = "sonde.agent.build"
    case uptime = "sonde.agent.uptime"
    case generation = "sonde.agent.configuration.generation"
    case configuration = "sonde.agent.configuration.hash"
    case processorTime = "sonde.agent.cpu.time"
    case memory = "sonde.agent.memory.usage"
    case descriptors = "sonde.agent.open_file_descriptor.current"
    case threads = "sonde.agent.thread.current"
    case scheduleLag = "sonde.agent.schedule.lag"
    case stopping = "sonde.agent.stopping"
    case agentTroubles = "sonde.agent.trouble"
    case remoteState = "sonde.agent.remote.state"
    case remoteSerial = "sonde.agent.remote.serial"
    case remoteLag = "sonde.agent.remote.lag"
    case remoteRequests = "sonde.agent.remote.request.count"
    case limitLevel = "sonde.agent.limit.level"
    case limitUtilization = "sonde.agent.limit.utilization"

    case sourceUp = "sonde.source.up"
    case sourceState = "sonde.source.state"
    case collections = "sonde.source.collection.count"
    case collectionTime = "sonde.source.collection.duration"
    case samples = "sonde.source.sample.count"
    case samplesLeftOut = "sonde.source.sample.left_out"
    case seriesRefused = "sonde.source.series.refused"
    case sourceErrors = "sonde.source.error.count"
    case sourceTroubles = "sonde.source.trouble"
    case sourceLag = "sonde.source.lag"

    case sinkUp = "sonde.sink.up"
    case sinkState = "sonde.sink.state"
    case pointsSent = "sonde.sink.point.sent"
    case pointsRejected = "sonde.sink.point.rejected"
    case pointsFailed = "sonde.sink.point.failed"
    case retries = "sonde.sink.retry.count"
    case deadLetters = "sonde.sink.dead_letter.count"
    case sinkErrors = "sonde.sink.error.count"
    case sinkTroubles = "sonde.sink.trouble"
    case queuePoints = "sonde.sink.queue.point"
    case queueSize = "sonde.sink.queue.size"
    case queueAge = "sonde.sink.queue.age"

    case losses = "sonde.loss.count"
    case lossReports = "sonde.loss.report.count"

    /// The attribute that names the source or sink.
    static let component = "sonde.component"

    /// Those that say in an attribute what an instance does.
    static let states: Set<String> = [sourceState.rawValue, sinkState.rawValue, remoteState.rawValue]

    /// Its line in the catalog.
    var definition: MetricDefinition {
        let line = line
        let component = isOfAgent ? [] : [Self.component]
        return MetricDefinition(
            rawValue, line.kind, unit: line.unit, attributes: component + (part.map { [$0] } ?? []),
            meaning: line.meaning)
    }

    private var isOfAgent: Bool { rawValue.hasPrefix("sonde.agent.") }

    /// The attribute that distinguishes its series besides the source or sink; nil: there is one series.
    var part: String? {
        switch self {
        case .build: "sonde.version"
        case .configuration: "sonde.configuration.hash"
        case .processorTime: "cpu.mode"
        case .sourceState, .sinkState, .remoteState: "sonde.state"
        case .remoteRequests: "sonde.request.result"
        case .collections: "sonde.collection.result"
        case .samplesLeftOut, .seriesRefused: "sonde.reason"
        case .sourceErrors, .sinkErrors, .agentTroubles, .sourceTroubles, .sinkTroubles: "error.code"
        case .pointsFailed: "error.type"
        case .limitUtilization: "sonde.limit"
        case .losses, .lossReports: "sonde.loss.reason"
        default: nil
        }
    }

    private var line: (kind: MetricKind, unit: String, meaning: String) {
        switch self {
        case .build: (.info, "", "The version of the agent.")
        case .uptime: (.gauge, "s", "How long the agent has been running.")
        case .generation: (.gauge, "", "How many configurations were in force so far: 1, and 1 more for each reload.")
        case .configuration:
            (.info, "", "A hash of the configuration's text, without secrets.")
        case .processorTime: (.counter, "s", "Processor time that the agent has used.")
        case .memory: (.gauge, "By", "Memory of the agent that is resident.")
        case .descriptors: (.upDown, "{descriptor}", "File descriptors that the agent has open.")
        case .threads: (.upDown, "{thread}", "Threads of the agent.")
        case .scheduleLag: (.gauge, "s", "How late the latest of the newest collections of all sources began.")
        case .stopping: (.gauge, "", "Whether the agent stops as planned: 1 with its last points, 0 before.")
        case .agentTroubles:
            (.gauge, "{part}", "Parts of the agent that do not work now, its disk for instance, by code of the error.")
        case .remoteState:
            (.info, "", "Which remote configuration is in force: none, good, probation, rolled_back, ignored.")
        case .remoteSerial: (.gauge, "", "The serial of the remote configuration in force.")
        case .remoteLag:
            (.gauge, "s", "How long ago the server of the remote configuration last had one, or nothing new.")
        case .remoteRequests:
            (
                .counter, "{request}",
                "Requests for the remote configuration by result: unchanged, new (put in force), refused, failed."
            )
        case .limitLevel:
            (.gauge, "", "How many steps the agent saves to stay within its limits; 0: none. Absent without limits.")
        case .limitUtilization:
            (.gauge, "1", "What the agent and its child processes use of a limit, cpu or memory, as a share of it.")

        case .sourceUp: (.gauge, "", "Whether the source does what it should; absent until that is known.")
        case .sourceState: (.info, "", "What the source does: starting, running, backing_off, held, overdue, stopping.")
        case .collections: (.counter, "{collection}", "Collections by result: success, failure, missed.")
        case .collectionTime: (.counter, "s", "Time that collections took.")
        case .samples: (.counter, "{sample}", "Samples that were taken from the source.")
        case .samplesLeftOut: (.counter, "{sample}", "Samples of the source that could not be taken, by reason.")
        case .seriesRefused: (.counter, "{series}", "Series that the source could not open, by reason.")
        case .sourceErrors: (.counter, "{error}", "Starts and collections that failed, by code of the error.")
        case .sourceTroubles: (.gauge, "{part}", "Parts of the source that do not work now, by code of the error.")
        case .sourceLag: (.gauge, "s", "How long ago a collection, or a commit of a stream, last succeeded.")

        case .sinkUp: (.gauge, "", "Whether the sink does what it should; absent until that is known.")
        case .sinkState: (.info, "", "What the sink does: starting, running, backing_off, held, overdue, stopping.")
        case .pointsSent: (.counter, "{point}", "Points and snapshots that the receiver has accepted.")
        case .pointsRejected: (.counter, "{point}", "Points that the receiver took out of batches that it accepted.")
        case .pointsFailed: (.counter, "{point}", "Points that were refused permanently, by class of the error.")
        case .retries: (.counter, "{attempt}", "Failed attempts whose batch is offered again.")
        case .deadLetters: (.counter, "{point}", "Points that were refused permanently and are kept as dead letters.")
        case .sinkErrors: (.counter, "{error}", "Starts and deliveries that failed, by code of the error.")
        case .sinkTroubles: (.gauge, "{part}", "Parts of the sink that do not work now, by code of the error.")
        case .queuePoints: (.upDown, "{point}", "Points and snapshots that wait for the sink.")
        case .queueSize: (.upDown, "By", "About how many bytes wait for the sink.")
        case .queueAge: (.gauge, "s", "How long the oldest of what waits has waited; 0 when nothing does.")

        case .losses: (.counter, "{item}", "What was lost, by reason, as far as its amount is known.")
        case .lossReports: (.counter, "{report}", "How often something was lost, by reason.")
        }
    }
}
