internal import SondeDomain

/// What passes between the agent and a child that runs one plugin: docs/spec/child.md.
///
/// A frame is four bytes of length, one byte of kind, and the body; the length counts kind and body. Numbers are
/// little-endian or LEB128, texts are counted.
enum ChildFrame {
    /// The version of the protocol: another major is refused, of two minors the lower one holds.
    static let (major, minor): (UInt16, UInt16) = (1, 0)

    /// The longest frame: longer than any batch or commit, and small enough to be kept in memory.
    static let limit = 64 << 20

    /// The descriptor that a child finds its channel at.
    static let descriptor: Int32 = 3

    /// What a frame is.
    enum Kind: UInt8 {
        // From the agent.
        case hello = 1
        case load
        case create
        case start
        case collect
        case run
        case tick
        case deliver
        case serve
        case close
        case answer
        // From the child.
        case done = 65
        case failed
        case openSeries
        case closeSeries
        case commit
        case loadCheckpoint
        case requestTick
        case log
        case loss
        case trouble
        case clearTrouble
        case rejectPoint
        case beat
    }

    /// How a call ended that did not fail.
    enum Outcome: UInt8 {
        case completed = 0
        case cancelled
    }
}

/// What one side of a channel did that the protocol forbids, or that it is gone.
enum ChannelFlaw: Error, Hashable {
    /// The other side has closed it.
    case ended
    /// It sent what is no frame, or not the one that comes now.
    case malformed(String)
    /// A system call failed with this errno.
    case failed(Int32)
    /// It has shown no life, or not answered, for this long.
    case silent(Nanoseconds)
}
