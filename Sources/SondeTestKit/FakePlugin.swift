public import SondeDomain
public import SondeEngine

/// A plugin made of a descriptor and of functions that make its instances.
public final class FakePlugin: LoadedPlugin {
    /// Makes a source.
    public typealias MakeSource = (String, OptionValues, any SourceServices) throws(SondeError) -> any SourceInstance
    /// Makes a sink.
    public typealias MakeSink = (String, OptionValues, any SinkServices) throws(SondeError) -> any SinkInstance

    /// Its description.
    public let descriptor: PluginDescriptor
    private let makeSource: MakeSource?
    private let makeSink: MakeSink?

    /// A plugin; without a function, making an instance fails.
    public init(_ descriptor: PluginDescriptor, makeSource: MakeSource? = nil, makeSink: MakeSink? = nil) {
        self.descriptor = descriptor
        self.makeSource = makeSource
        self.makeSink = makeSink
    }

    /// Nothing was handed over.
    public var description: [UInt8] { [] }

    /// A path at which no file is.
    public var path: String { "/nonexistent/\(descriptor.name).so" }

    /// Makes a source.
    public func makeSource(
        id: String, options: OptionValues, services: any SourceServices
    ) throws(SondeError) -> any SourceInstance {
        guard let makeSource else { throw cannotMake("source") }
        return try makeSource(id, options, services)
    }

    /// Makes a sink.
    public func makeSink(
        id: String, options: OptionValues, services: any SinkServices
    ) throws(SondeError) -> any SinkInstance {
        guard let makeSink else { throw cannotMake("sink") }
        return try makeSink(id, options, services)
    }

    private func cannotMake(_ kind: String) -> SondeError {
        SondeError(
            ErrorCode("TEST-002"), stage: .loading, class: .programmer,
            message: "the test gave '\(descriptor.name)' no way to make a \(kind)")
    }
}
