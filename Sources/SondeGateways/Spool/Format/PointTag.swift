/// The byte before each point: the type of its value, and what is equal to the point before.
enum PointTag {
    static let typeMask: UInt8 = 0x03
    static let double: UInt8 = 0
    static let signed: UInt8 = 1
    static let unsigned: UInt8 = 2
    static let histogram: UInt8 = 3
    /// There is a start time.
    static let hasStart: UInt8 = 0x04
    /// It is the start time that was last given.
    static let sameStart: UInt8 = 0x08
    /// The time is that of the point before.
    static let sameTime: UInt8 = 0x10
    /// The series is the one after that of the point before.
    static let nextSeries: UInt8 = 0x20
    /// The series has ended: there is no value, and the type is zero.
    static let end: UInt8 = 0x40
    /// No other bits are in use.
    static let mask: UInt8 = 0x7f
}
