import Testing

/// What loads programs, one test at a time: they look at the descriptors of the whole process.
@Suite(.enabled(if: Tracing.isUsable, "loading programs needs root and tracefs"), .serialized)
struct LiveTests {}
