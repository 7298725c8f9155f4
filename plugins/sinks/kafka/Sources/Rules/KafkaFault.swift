internal import CKafka
internal import SondeDomain
internal import SondePluginKit

/// Why a message is not in its topic: the kinds of faults that differ in what follows from them.
enum KafkaFault: Hashable, Sendable, CaseIterable {
    case unreachable
    case timeout
    case topicMissing
    case tooLarge
    case notAllowed
    case notAuthenticated
    case handshake
    case throttled
    case fatal
    case refused
    case brokerTrouble
    case unsupported
    case localResource
    case other

    /// The fault that an error of librdkafka's or a broker's stands for.
    init(_ error: KafkaError) {
        let fault = KafkaFault(error.code)
        // A handshake that breaks off and, of TLS 1.3, a refusal after it are lost connections in its terms.
        let isHandshake = error.text.hasPart("in state SSL_HANDSHAKE") || error.text.hasPart("SSL alert")
        self = fault == .unreachable && isHandshake ? .handshake : fault
    }

    private init(_ code: rd_kafka_resp_err_t) {
        switch code {
        case RD_KAFKA_RESP_ERR__TRANSPORT, RD_KAFKA_RESP_ERR__RESOLVE, RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN,
            RD_KAFKA_RESP_ERR_NETWORK_EXCEPTION, RD_KAFKA_RESP_ERR_BROKER_NOT_AVAILABLE:
            self = .unreachable
        case RD_KAFKA_RESP_ERR__TIMED_OUT, RD_KAFKA_RESP_ERR__MSG_TIMED_OUT, RD_KAFKA_RESP_ERR__TIMED_OUT_QUEUE:
            self = .timeout
        case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC, RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART,
            RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION, RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION:
            self = .topicMissing
        case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE, RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE:
            self = .tooLarge
        case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED, RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED:
            self = .notAllowed
        case RD_KAFKA_RESP_ERR__AUTHENTICATION, RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED,
            RD_KAFKA_RESP_ERR_UNSUPPORTED_SASL_MECHANISM, RD_KAFKA_RESP_ERR_ILLEGAL_SASL_STATE,
            RD_KAFKA_RESP_ERR_SECURITY_DISABLED:
            self = .notAuthenticated
        case RD_KAFKA_RESP_ERR__SSL: self = .handshake
        case RD_KAFKA_RESP_ERR__QUEUE_FULL, RD_KAFKA_RESP_ERR_THROTTLING_QUOTA_EXCEEDED: self = .throttled
        case RD_KAFKA_RESP_ERR__FATAL, RD_KAFKA_RESP_ERR_OUT_OF_ORDER_SEQUENCE_NUMBER,
            RD_KAFKA_RESP_ERR_INVALID_PRODUCER_EPOCH, RD_KAFKA_RESP_ERR_UNKNOWN_PRODUCER_ID,
            RD_KAFKA_RESP_ERR_PRODUCER_FENCED, RD_KAFKA_RESP_ERR__FENCED, RD_KAFKA_RESP_ERR__STATE,
            RD_KAFKA_RESP_ERR__INCONSISTENT, RD_KAFKA_RESP_ERR__PURGE_QUEUE, RD_KAFKA_RESP_ERR__PURGE_INFLIGHT:
            self = .fatal
        case RD_KAFKA_RESP_ERR_INVALID_RECORD, RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP, RD_KAFKA_RESP_ERR_INVALID_MSG_SIZE,
            RD_KAFKA_RESP_ERR_POLICY_VIOLATION:
            self = .refused
        case RD_KAFKA_RESP_ERR_INVALID_MSG, RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE,
            RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION, RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT,
            RD_KAFKA_RESP_ERR_REPLICA_NOT_AVAILABLE, RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS,
            RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND, RD_KAFKA_RESP_ERR_KAFKA_STORAGE_ERROR,
            RD_KAFKA_RESP_ERR_LOG_DIR_NOT_FOUND, RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE,
            RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS:
            self = .brokerTrouble
        case RD_KAFKA_RESP_ERR_UNSUPPORTED_VERSION, RD_KAFKA_RESP_ERR__UNSUPPORTED_FEATURE,
            RD_KAFKA_RESP_ERR_UNSUPPORTED_FOR_MESSAGE_FORMAT, RD_KAFKA_RESP_ERR_UNSUPPORTED_COMPRESSION_TYPE,
            RD_KAFKA_RESP_ERR_INVALID_REQUIRED_ACKS, RD_KAFKA_RESP_ERR__BAD_COMPRESSION,
            RD_KAFKA_RESP_ERR__NOT_IMPLEMENTED:
            self = .unsupported
        case RD_KAFKA_RESP_ERR__CRIT_SYS_RESOURCE, RD_KAFKA_RESP_ERR__FS: self = .localResource
        default: self = .other
        }
    }

    /// What follows from a fault.
    struct Rule: Sendable {
        let code: String
        let failureClass: FailureClass
        /// A sentence: what it means.
        let meaning: String
        /// A sentence: what a person can do.
        let recovery: String

        fileprivate init(_ code: String, _ failureClass: FailureClass, _ meaning: String, _ recovery: String) {
            (self.code, self.failureClass, self.meaning, self.recovery) = (code, failureClass, meaning, recovery)
        }
    }

    /// What follows from it.
    var rule: Rule {
        switch self {
        case .unreachable:
            Rule(
                "SND-KAF001", .transient, "No broker can be reached.",
                "Check brokers, the listeners that the brokers advertise, and the firewalls between.")
        case .timeout:
            Rule(
                "SND-KAF002", .transient, "The brokers did not confirm a message in time.",
                "Look at the brokers' load and at the topic's in-sync replicas; timeout sets the limit.")
        case .topicMissing:
            Rule(
                "SND-KAF003", .configuration, "The topic does not exist.",
                "Create it with as many partitions as it needs, or correct topic.")
        case .tooLarge:
            Rule(
                "SND-KAF004", .tooLarge, "A message is too large.",
                "Batches are split until they fit; max_message sets the size from the start.")
        case .notAllowed:
            Rule(
                "SND-KAF005", .accessRefused, "The agent may not write to the topic.",
                "Allow its user Write on the topic, and IdempotentWrite on the cluster with brokers before 2.8.")
        case .notAuthenticated:
            Rule(
                "SND-KAF006", .accessRefused, "The brokers do not accept the agent's credentials.",
                "Check sasl.username, the password, and whether the listener has sasl.mechanism.")
        case .handshake:
            Rule(
                "SND-KAF007", .configuration, "There is no TLS connection to the brokers.",
                "Check that the port speaks TLS, tls.ca_file, and the name that the broker's certificate has.")
        case .throttled:
            Rule(
                "SND-KAF008", .rateLimited, "The brokers ask to slow down.",
                "Nothing to do here; raise the quota there, or send less with interval and metrics.")
        case .fatal:
            Rule(
                "SND-KAF009", .transient, "The brokers have lost track of the producer, which begins anew.",
                "Nothing to do here; look at the brokers' logs when it stays.")
        case .refused:
            Rule(
                "SND-KAF010", .permanentData, "The brokers refuse the message for what it is.",
                "Look at the topic's settings (message timestamps, compaction) and at the clock.")
        case .brokerTrouble:
            Rule(
                "SND-KAF011", .transient, "The brokers cannot store the message for now.",
                "Nothing to do here; look at the topic's leaders and in-sync replicas when it stays.")
        case .unsupported:
            Rule(
                "SND-KAF012", .configuration, "The brokers do not support what is configured.",
                "Kafka 0.11 or later is needed, and 2.1 for compression: zstd.")
        case .localResource:
            Rule(
                "SND-KAF013", .resource, "This host is out of file descriptors, threads or memory.",
                "Look at LimitNOFILE and TasksMax of the service and at what else uses them up.")
        case .other:
            Rule(
                "SND-KAF014", .transient, "The delivery failed in a way without a specific code.",
                "The message holds librdkafka's name and words for it; report it when they do not help.")
        }
    }

    /// The option that caused the fault, or "".
    var optionPath: String {
        switch self {
        case .topicMissing: "topic"
        case .notAuthenticated: "sasl.mechanism"
        case .tooLarge: "max_message"
        default: ""
        }
    }
}

extension String {
    /// Whether `part` is in it.
    func hasPart(_ part: String) -> Bool {
        utf8.indices.contains { utf8[$0...].starts(with: part.utf8) }
    }
}
