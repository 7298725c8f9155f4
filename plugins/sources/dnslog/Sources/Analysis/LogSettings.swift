internal import SondeDNS
internal import SondeDomain
internal import SondeWire

/// What is made of the lines, as configured.
package struct LogSettings {
    /// The format; nil: the lines decide.
    var format: LogFormat?
    /// How many names and clients are reported individually; 0 for none.
    var top = 0
    var privacy = NamePrivacy.full
    var failures = FailureRule.standard
    /// After how long a query without an answer counts as unanswered.
    var timeout = Nanoseconds.seconds(10)
    /// The addresses at which the resolver is queried, if configured.
    var resolvers: [ResolverAddress] = []
    var report = DNSReport.metrics

    /// How many keys are kept to find the heaviest: a key with more than a thousandth of the weight is always among them.
    static let rankingCapacity = 1000
}
