/// What is counted of multicast DNS and of LLMNR.
struct NameServiceCounts: Equatable {
    var queries: UInt64 = 0
    var responses: UInt64 = 0
    var malformed: UInt64 = 0
}
