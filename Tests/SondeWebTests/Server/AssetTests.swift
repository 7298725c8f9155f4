import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import SondeWeb

@Suite struct AssetTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/SondeWeb/Page")
    private let assets = Asset.all()

    private func ask(_ path: String, _ fields: [(HTTPField.Name, String)] = []) throws -> Answer {
        var request = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path)
        for (name, value) in fields { request.headerFields[name] = value }
        return try #require(assets[path]).answer(to: request)
    }

    @Test func everyFileOfTheFolderIsInTheProgramAsItIs() throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path)
        #expect(Set(assets.keys) == Set(names.map { $0 == "index.html" ? "/" : "/\($0)" }))
        for name in names {
            let answer = try ask(name == "index.html" ? "/" : "/\(name)")
            #expect(Data(answer.body.readableBytesView) == (try Data(contentsOf: Self.folder.appending(path: name))))
        }
    }

    @Test func whatABrowserHasIsNotSentAgain() throws {
        let first = try ask("/")
        let mark = try #require(first.fields[.eTag])
        let second = try ask("/", [(.ifNoneMatch, mark)])
        #expect(second.status == .notModified)
        #expect(second.body.readableBytes == 0)
        #expect(try ask("/", [(.ifNoneMatch, "\"other\"")]).status == .ok)
    }

    @Test func allFilesTogetherAreSmall() throws {
        let bytes = try assets.keys.map { try ask($0, [(.acceptEncoding, "gzip, br")]).body.readableBytes }
        #expect(bytes.reduce(0, +) < 150_000)
    }

    @Test func everyAnswerHasThePolicyAndNothingInlineIsOnThePage() throws {
        let head = try ask("/").head
        #expect(head.headerFields[.contentSecurityPolicy]?.contains("script-src 'self'") == true)
        let page = String(decoding: try ask("/").body.readableBytesView, as: UTF8.self)
        #expect(page.firstMatch(of: /<script(?![^>]*\ssrc=)/) == nil)
        #expect(page.firstMatch(of: /\s(style|on\w+)=/) == nil)
        #expect(!page.contains("<style"))
        #expect(page.firstMatch(of: /(src|href)="(https?:)?\/\//) == nil)
    }
}
