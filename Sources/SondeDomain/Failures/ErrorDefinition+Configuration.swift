extension ErrorDefinition {
    static let configuration: [ErrorDefinition] = []
}
