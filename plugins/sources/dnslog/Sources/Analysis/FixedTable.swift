/// A fixed number of places in one block of memory, alike at first; who uses it decides which key has which place.
///
/// A class, because the compiler (6.3) gives up over a struct of this kind inside another one that cannot be copied.
final class FixedTable<Place: BitwiseCopyable> {
    private let places: UnsafeMutablePointer<Place>

    /// A table of `count` places.
    init(count: Int, _ empty: Place) {
        places = .allocate(capacity: count)
        places.initialize(repeating: empty, count: count)
    }

    deinit {
        places.deallocate()
    }

    /// The place at `index`, below the number of places.
    @inline(always)
    subscript(index: Int) -> Place {
        get { places[index] }
        set { places[index] = newValue }
    }
}
