import SondeDomain
import Testing

@Suite struct SizeTextTests {
    @Test(
        arguments: [
            ("512", 512), ("512B", 512), ("0", 0), ("10kB", 10_000), ("10KB", 10_000), ("64MiB", 67_108_864),
            ("64mib", 67_108_864), ("1KiB", 1_024), ("1GB", 1_000_000_000), ("2GiB", 2_147_483_648),
            ("1TB", 1_000_000_000_000), ("1TiB", 1_099_511_627_776), ("9223372036854775807", .max),
        ])
    func sizeIsRead(_ text: String, _ bytes: Int64) throws {
        #expect(try SizeText.parse(text) == bytes)
    }

    @Test(
        arguments: [
            ("", SizeText.Failure.malformed), ("MiB", .malformed), ("10k", .malformed), ("10 MiB", .malformed),
            ("1.5MiB", .malformed), ("1MiB1", .malformed), ("10PB", .malformed), ("-1", .negative), ("-x", .malformed),
            ("9223372036854775808", .overflow), ("9007199254740992KiB", .overflow),
        ])
    func everythingElseIsRefusedWithItsReason(_ text: String, _ failure: SizeText.Failure) {
        #expect(throws: failure) { try SizeText.parse(text) }
    }

    @Test(
        arguments: [
            (0, "0"), (512, "512"), (1_024, "1KiB"), (10_000, "10kB"), (67_108_864, "64MiB"), (1_500, "1500"),
            (5_000_000, "5MB"), (Int64.max, "9223372036854775807"),
        ])
    func sizeIsWrittenInTheLargestExactUnit(_ bytes: Int64, _ text: String) throws {
        #expect(SizeText.text(of: bytes) == text)
        #expect(try SizeText.parse(text) == bytes)
    }
}
