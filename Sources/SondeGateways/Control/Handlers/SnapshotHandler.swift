public import SondeDomain
public import SondeEngine
public import SondeFormats

/// `snapshot`: the state of the network now.
public final class SnapshotHandler: ControlHandler {
    /// `snapshot`.
    public let request = "snapshot"
    /// It changes nothing.
    public let permission = ControlPermission.read
    private let current: CurrentSnapshot

    /// A handler that answers the current snapshot.
    public init(_ current: CurrentSnapshot) {
        self.current = current
    }

    /// The snapshot and the number of what it is made of.
    public func answer(_ request: JSONValue) throws(SondeError) -> ControlAnswer {
        let (snapshot, version) = current()
        return Self.answer(snapshot, version)
    }

    static func answer(_ snapshot: Snapshot, _ version: UInt64) -> ControlAnswer {
        ControlAnswer("snapshot") { json in
            json.object { json in
                json.member("number", version)
                json.member("document", snapshot)
            }
        }
    }
}
