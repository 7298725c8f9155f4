/// The way to the kernel and back: a socket, or a script of answers in a test.
public protocol NetlinkTransport: AnyObject {
    /// Sends one request.
    func send(_ request: UnsafeRawBufferPointer) throws(NetlinkError)

    /// Waits for the next datagram, and returns how many bytes of it are in `buffer`.
    ///
    /// Throws EMSGSIZE when it did not fit, ETIMEDOUT when none came.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(NetlinkError) -> Int

    /// Throws away what waits, what is left of an answer for instance.
    func discardWaiting()
}
