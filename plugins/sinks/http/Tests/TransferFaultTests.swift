import SondeDomain
import Testing

@testable import HTTPPlugin

/// What libcurl's codes mean, with the texts that libcurl 7.88.1 and OpenSSL 3 were seen to give.
@Suite struct TransferFaultTests {
    private static let table: [(transfer: Transfer, fault: TransferFault)] = [
        (Transfer(code: 0), .notHTTP),
        (Transfer(code: 1, detail: "Received HTTP/0.9 when not allowed"), .notHTTP),
        (Transfer(code: 2), .localResource),
        (Transfer(code: 3), .other),
        (Transfer(code: 5), .proxyNameResolution),
        (Transfer(code: 6), .nameResolution),
        (Transfer(code: 7, systemError: 111), .unreachable),
        (Transfer(code: 7, systemError: 24), .localResource),
        (Transfer(code: 8), .notHTTP),
        (Transfer(code: 16), .connectionLost),
        (Transfer(code: 18), .connectionLost),
        (Transfer(code: 27, detail: "Out of memory"), .notHTTP),
        (Transfer(code: 28), .timeout),
        (Transfer(code: 28, detail: "Resolving timed out after 5000 milliseconds"), .nameResolution),
        (Transfer(code: 35, detail: "error:0A00010B:SSL routines::wrong version number"), .handshake),
        (Transfer(code: 35, systemError: 104), .connectionLost),
        (
            Transfer(code: 35, detail: "OpenSSL SSL_connect: Connection reset by peer in connection to h:443"),
            .connectionLost
        ),
        (Transfer(code: 35, detail: "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to h:443"), .connectionLost),
        (Transfer(code: 52), .emptyReply),
        (Transfer(code: 55, systemError: 32), .connectionLost),
        (Transfer(code: 56, systemError: 104, detail: "Recv failure: Connection reset by peer"), .connectionLost),
        (Transfer(code: 56, detail: "OpenSSL SSL_read: Connection reset by peer, errno 104"), .connectionLost),
        (Transfer(code: 56, detail: "OpenSSL SSL_read: error:0A000126::unexpected eof while reading"), .connectionLost),
        (
            Transfer(code: 56, detail: "OpenSSL SSL_read: error:0A00045C::tlsv13 alert certificate required, errno 0"),
            .ownCertificateRefused
        ),
        (Transfer(code: 56, detail: "Too large response headers: 307200 > 307200"), .notHTTP),
        (Transfer(code: 58), .ownCertificate),
        (Transfer(code: 60, verifyResult: 20), .peerCertificate),
        (Transfer(code: 60, verifyResult: 9), .peerCertificateTime),
        (Transfer(code: 60, verifyResult: 10), .peerCertificateTime),
        (
            Transfer(code: 60, detail: "SSL certificate problem: certificate is not yet valid"), .peerCertificateTime
        ),
        (Transfer(code: 61), .notHTTP),
        (Transfer(code: 77), .trustStore),
        (Transfer(code: 92), .connectionLost),
        (Transfer(code: 9_999), .other),
    ]

    @Test(arguments: table)
    func aCodeIsAFault(transfer: Transfer, fault: TransferFault) {
        #expect(TransferFault(transfer) == fault)
    }

    @Test func faultsThatWaitForAPersonAreConfiguration() {
        let held = TransferFault.allCases.filter { $0.rule.failureClass == .configuration }
        #expect(
            held == [.peerCertificate, .peerCertificateTime, .ownCertificate, .ownCertificateRefused, .trustStore]
        )
    }

    @Test func everyFaultHasWordsThatFit() {
        for fault in TransferFault.allCases {
            #expect(fault.rule.meaning.hasSuffix(".") && fault.rule.recovery.hasSuffix("."))
            #expect(fault.rule.recovery.utf8.count <= 255)
            #expect(fault.rule.code.utf8.count <= 23)
        }
    }
}
