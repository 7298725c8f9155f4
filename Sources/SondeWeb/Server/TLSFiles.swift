internal import NIOSSL
internal import SondeDomain

/// The certificate of the server, with those that lead to its issuer, and its key.
struct TLSFiles: Hashable, Sendable {
    let certificate: String
    let key: String

    /// Files in PEM.
    init(certificate: String, key: String) {
        (self.certificate, self.key) = (certificate, key)
    }

    /// Reads both; TLS 1.2 and later.
    func configuration() throws(SondeError) -> TLSConfiguration {
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(certificate)
            guard !chain.isEmpty else { throw unusable(certificate, "it has no certificate") }
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
            configuration.minimumTLSVersion = .tlsv12
            // A key that does not belong to the certificate is found here, not by the first browser.
            _ = try NIOSSLContext(configuration: configuration)
            return configuration
        } catch let error as SondeError {
            throw error
        } catch {
            throw unusable("\(certificate)' and '\(key)", "\(error)")
        }
    }

    private func unusable(_ files: String, _ reason: String) -> SondeError {
        SondeError(web: .webFileUnusable, "'\(files)' cannot be used: \(reason)")
    }
}
