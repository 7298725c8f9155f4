internal import SondeDomain

extension StatusState.Failure {
    /// The line of YAML that has the option at fault; nil: another configuration does not mend it.
    func yaml(of instance: StatusState.Instance) -> String? {
        guard failureClass.flatMap(FailureClass.init(name:))?.mayEndByReconfiguring ?? false else { return nil }
        let kind = instance.queue == nil ? "sources" : "sinks"
        let option = option.map { ", \($0): …" } ?? ""
        return "\(kind): [{ id: \(instance.id)\(option) }]"
    }
}
