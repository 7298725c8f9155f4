internal import NIOCore

/// What goes over the network; the formats have a buffer of that name too.
typealias ByteBuffer = NIOCore.ByteBuffer
