/// Certificates made for one test, with the openssl program.
///
/// Each test has its own authority: `openssl ca` keeps its database in files that two at once would spoil.
public final class CertificateAuthority: Sendable {
    /// A certificate with its key.
    public struct Identity: Sendable {
        /// The path of the certificate in PEM.
        public let certificate: String
        /// The path of its key in PEM.
        public let key: String
    }

    /// What openssl printed when it made no certificate.
    public struct Refusal: Error {
        /// Its words.
        public let output: String
    }

    // What `openssl ca` reads, in the directory where it works.
    private static let configuration = """
        [ca]
        default_ca = authority

        [authority]
        dir = .
        database = ./index.txt
        serial = ./serial
        new_certs_dir = .
        certificate = ./ca.pem
        private_key = ./ca.key
        default_md = sha256
        default_days = 2
        policy = anything
        unique_subject = no
        copy_extensions = copy
        email_in_dn = no

        [anything]
        commonName = supplied

        [req]
        distinguished_name = name
        x509_extensions = authority_extensions
        prompt = no

        [name]
        commonName = Test authority

        [authority_extensions]
        basicConstraints = critical,CA:TRUE
        keyUsage = critical,keyCertSign,cRLSign

        """

    private let directory: TemporaryDirectory

    /// An authority with a key of its own.
    public init() throws {
        directory = try TemporaryDirectory()
        _ = try directory.write("index.txt", "")
        _ = try directory.write("serial", "1000")
        _ = try directory.write("openssl.cnf", Self.configuration)
        try openssl(["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "ca.key"])
        try openssl([
            "req", "-new", "-x509", "-config", "openssl.cnf", "-key", "ca.key", "-days", "2", "-out", "ca.pem",
        ])
    }

    /// Who signed them all.
    public var file: String { directory.file("ca.pem") }

    /// A certificate for `subject`, an alternative name as openssl writes it.
    ///
    /// Valid from yesterday to tomorrow unless set by `from` and `to`, as `YYYYMMDDHHMMSSZ`.
    public func issue(_ name: String, for subject: String, from: String? = nil, to: String? = nil) throws -> Identity {
        let validity = from.map { ["-startdate", $0] } ?? []
        let end = to.map { ["-enddate", $0] } ?? []
        try openssl([
            "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-config", "openssl.cnf",
            "-subj", "/CN=\(name)", "-addext", "subjectAltName=\(subject)", "-keyout", "\(name).key",
            "-out", "\(name).csr",
        ])
        try openssl(
            ["ca", "-batch", "-notext", "-config", "openssl.cnf", "-in", "\(name).csr", "-out", "\(name).pem"]
                + validity + end
        )
        return Identity(certificate: directory.file("\(name).pem"), key: directory.file("\(name).key"))
    }

    private func openssl(_ arguments: [String]) throws {
        let process = try TestProcess("openssl", arguments, in: directory.path)
        guard process.wait() == 0 else { throw Refusal(output: process.output) }
    }
}
