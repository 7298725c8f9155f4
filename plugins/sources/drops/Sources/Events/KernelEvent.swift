internal import SondePluginKit

/// A tracepoint, what is counted at it, and how that is reported.
protocol KernelEvent: Sendable {
    /// Where it is among the kernel's, and which option turns it on.
    static var tracepoint: Tracepoint { get }

    /// Reads from the kernel's description where the fields are; throws which one it lacks.
    init(_ format: TracepointFormat) throws(MissingField)

    /// How many counters it has, each of them once for every processor.
    var slots: Int { get }

    /// Puts the number of the counter that an event belongs to into r6; goes to `skip` where it belongs to none.
    ///
    /// The record's address is in r1. r6 to r9 may be used, and r2 to r5.
    func choose(_ program: inout ProgramBuilder, skip: ProgramBuilder.Label)

    /// Adds what was counted so far, `slots` numbers, to the samples.
    func report(_ counts: [UInt64], to sheet: SampleSheet)
}

/// The name of a tracepoint.
struct Tracepoint: Hashable {
    let group: String
    let name: String
    /// The option that turns it on.
    let option: String
    /// The first kernel that has what is read of it.
    let since: String
}

/// What a kernel's tracepoint lacks.
struct MissingField: Error, Hashable {
    let name: String

    init(_ name: String) { self.name = name }
}

extension TracepointFormat {
    /// Where a number is in the record, and its width.
    func number(_ name: String) throws(MissingField) -> NumberField {
        guard let number = optionalNumber(name) else { throw MissingField(name) }
        return number
    }

    /// The same of a field that not every kernel has.
    func optionalNumber(_ name: String) -> NumberField? {
        guard let field = fields[name], let width = field.width, let offset = Int16(exactly: field.offset) else {
            return nil
        }
        return NumberField(offset: offset, width: width)
    }
}

/// A number in the record.
struct NumberField: Hashable {
    var offset: Int16
    var width: Width
}

extension ProgramBuilder {
    /// Loads a field of the record, whose address is in r1.
    mutating func load(_ register: Register, _ field: NumberField) {
        load(register, field.width, from: .r1, at: field.offset)
    }
}
