internal import NIOSSL
internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

/// The certificate of the server, with those that lead to its issuer, and its key.
struct TLSFiles: Hashable, Sendable {
    private static let sizeLimit = 1 << 20

    let certificate: String
    let key: String

    /// Files in PEM.
    init(certificate: String, key: String) {
        (self.certificate, self.key) = (certificate, key)
    }

    /// Reads both; TLS 1.2 and later.
    func configuration() throws(SondeError) -> TLSConfiguration {
        let (certificateBytes, keyBytes) = (try bytes(of: certificate), try bytes(of: key))
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(certificateBytes), !chain.isEmpty else {
            throw unusable(certificate, "it has no certificate in PEM")
        }
        guard let privateKey = try? NIOSSLPrivateKey(bytes: keyBytes, format: .pem) else {
            throw unusable(key, "it has no private key in PEM, or one with a passphrase")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(privateKey))
        configuration.minimumTLSVersion = .tlsv12
        do {
            // A key that does not belong to the certificate is found here, not by the first browser.
            _ = try NIOSSLContext(configuration: configuration)
        } catch {
            throw unusable("\(certificate)' and '\(key)", "\(error)")
        }
        return configuration
    }

    private func bytes(of path: String) throws(SondeError) -> [UInt8] {
        do throws(FileReadFailure) {
            return try PosixFileReader().read(path, limit: Self.sizeLimit).bytes
        } catch {
            throw unusable(path, error.reason)
        }
    }

    private func unusable(_ files: String, _ reason: String) -> SondeError {
        SondeError(web: .webFileUnusable, "'\(files)' cannot be used: \(reason)")
    }
}
