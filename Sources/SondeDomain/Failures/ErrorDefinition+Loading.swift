extension ErrorDefinition {
    static let loading: [ErrorDefinition] = []
}
