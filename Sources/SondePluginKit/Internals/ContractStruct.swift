public import CSondePlugin

/// A struct of the contract: the other side's version may have fewer or more members than this one.
public protocol ContractStruct {
    /// Its size in version 1.0, below which no side may go.
    static var leastSize: Int { get }
}

extension sonde_attribute: ContractStruct {
    /// Its size in version 1.0.
    public static var leastSize: Int { Int(SONDE_SIZE_1_0_ATTRIBUTE) }
}

extension sonde_batch: ContractStruct {
    /// Its size in version 1.0.
    public static var leastSize: Int { Int(SONDE_SIZE_1_0_BATCH) }
}

extension sonde_batch_series: ContractStruct {
    /// Its size in version 1.0.
    public static var leastSize: Int { Int(SONDE_SIZE_1_0_BATCH_SERIES) }
}

extension sonde_call: ContractStruct {
    /// Its size in version 1.0.
    public static var leastSize: Int { Int(SONDE_SIZE_1_0_CALL) }
}

extension sonde_checkpoint: ContractStruct {
    /// Its size in version 1.0.
    public static var leastSize: Int { Int(SONDE_SIZE_1_0_CHECKPOINT) }
}

extension sonde_document: ContractStruct {
    /// Its size in version 1.0.
    public static var leastSize: Int { Int(SONDE_SIZE_1_0_DOCUMENT) }
}

extension sonde_error: ContractStruct {
    /// Its size in version 1.0.
    public static var leastSize: Int { Int(SONDE_SIZE_1_0_ERROR) }
}

extension sonde_histogram: ContractStruct {
    /// Its size in version 1.0.
    public static var leastSize: Int { Int(SONDE_SIZE_1_0_HISTOGRAM) }
}

extension sonde_inspection: ContractStruct {
    /// Its size in version 1.0.
    public static var leastSize: Int { Int(SONDE_SIZE_1_0_INSPECTION) }
}

extension sonde_loss: ContractStruct {
    /// Its size in version 1.0.
    public static var leastSize: Int { Int(SONDE_SIZE_1_0_LOSS) }
}

extension sonde_plugin: ContractStruct {
    /// Its size in version 1.0.
    public static var leastSize: Int { Int(SONDE_SIZE_1_0_PLUGIN) }
}

extension sonde_point: ContractStruct {
    /// Its size in version 1.0.
    public static var leastSize: Int { Int(SONDE_SIZE_1_0_POINT) }
}

extension sonde_resource: ContractStruct {
    /// Its size in version 1.0.
    public static var leastSize: Int { Int(SONDE_SIZE_1_0_RESOURCE) }
}

extension sonde_series: ContractStruct {
    /// Its size in version 1.0.
    public static var leastSize: Int { Int(SONDE_SIZE_1_0_SERIES) }
}

extension ContractStruct {
    /// Copies the members that both sides have; members that the other side lacks are zero.
    ///
    /// Nil for NULL, and for a struct whose `struct_size` is below that of version 1.0. The address need not be aligned.
    public init?(copying pointer: UnsafePointer<Self>?) {
        guard let pointer else { return nil }
        let start = UnsafeRawPointer(pointer)
        self.init(copying: start, size: Int(start.loadUnaligned(as: UInt32.self)))
    }

    /// Copies a struct of that `struct_size`.
    @inline(__always)
    init?(copying start: UnsafeRawPointer, size: Int) {
        guard size < MemoryLayout<Self>.size else {
            self = start.loadUnaligned(as: Self.self)
            return
        }
        guard size >= Self.leastSize else { return nil }
        self = Self.filledUp(start, size: size)
    }

    private static func filledUp(_ start: UnsafeRawPointer, size: Int) -> Self {
        let layout = MemoryLayout<Self>.self
        return withUnsafeTemporaryAllocation(byteCount: layout.size, alignment: layout.alignment) { copy in
            _ = copy.initializeMemory(as: UInt8.self, repeating: 0)
            copy.copyMemory(from: UnsafeRawBufferPointer(start: start, count: size))
            return copy.load(as: Self.self)
        }
    }
}

/// An array of the contract, whose elements may be shorter or longer than on this side.
public struct ContractArray<Element: ContractStruct>: RandomAccessCollection {
    private let first: UnsafeRawPointer?
    private let stride: Int
    /// How many elements there are.
    public let count: Int

    /// The array at `first`; nil when it is NULL although `count` is not 0, or its first `struct_size` is impossible.
    public init?(_ first: UnsafePointer<Element>?, count: Int) {
        guard count != 0 else {
            self.init(first: nil, stride: 0, count: 0)
            return
        }
        guard count > 0, let first else { return nil }
        let start = UnsafeRawPointer(first)
        let size = Int(start.loadUnaligned(as: UInt32.self))
        guard (Element.leastSize...Self.sizeLimit).contains(size), size % MemoryLayout<Element>.alignment == 0 else {
            return nil
        }
        self.init(first: start, stride: size, count: count)
    }

    /// No elements.
    public static var empty: ContractArray { ContractArray(first: nil, stride: 0, count: 0) }

    // Far above what a later version appends; a larger one is garbage.
    private static var sizeLimit: Int { 4_096 }

    private init(first: UnsafeRawPointer?, stride: Int, count: Int) {
        self.first = first
        self.stride = stride
        self.count = count
    }

    /// Zero.
    public var startIndex: Int { 0 }

    /// The number of elements.
    public var endIndex: Int { count }

    /// A copy of an element; nil when its `struct_size` differs from the first one's.
    public subscript(index: Int) -> Element? {
        guard let first, index >= 0, index < count else { return nil }
        let start = first + index &* stride
        guard Int(start.loadUnaligned(as: UInt32.self)) == stride else { return nil }
        return Element(copying: start, size: stride)
    }
}
