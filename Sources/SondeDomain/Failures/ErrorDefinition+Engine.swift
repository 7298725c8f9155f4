extension ErrorDefinition {
    static let engine: [ErrorDefinition] = []
}
