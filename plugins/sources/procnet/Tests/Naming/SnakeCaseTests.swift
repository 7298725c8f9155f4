import Testing

@testable import ProcNetPlugin

@Suite struct SnakeCaseTests {
    @Test(arguments: [
        ("InReceives", "in_receives"), ("TCPOFOQueue", "tcp_ofo_queue"), ("DefaultTTL", "default_ttl"),
        ("RtoMin", "rto_min"), ("CurrEstab", "curr_estab"), ("TCPHPHits", "tcp_hp_hits"),
        ("TCPDSACKIgnoredNoUndo", "tcp_dsack_ignored_no_undo"), ("TCPSpuriousRTOs", "tcp_spurious_rtos"),
        ("DelayedACKs", "delayed_acks"), ("DelayedACKLocked", "delayed_ack_locked"), ("TW", "tw"),
        ("TWRecycled", "tw_recycled"), ("TCPMD5NotFound", "tcp_md5_not_found"), ("InNoECTPkts", "in_no_ect_pkts"),
        ("InECT1Pkts", "in_ect1_pkts"), ("InCEPkts", "in_ce_pkts"), ("MPCapableSYNACKRX", "mp_capable_syn_ack_rx"),
        ("MPTCPRetrans", "mptcp_retrans"), ("MPJoinSynAckHMacFailure", "mp_join_syn_ack_hmac_failure"),
        ("TCPACKSkippedFinWait2", "tcp_ack_skipped_fin_wait2"), ("TCPMTUPFail", "tcp_mtup_fail"),
        ("PFMemallocDrop", "pf_memalloc_drop"), ("TCPAODroppedIcmps", "tcp_ao_dropped_icmps"),
        ("TSEcrRejected", "ts_ecr_rejected"), ("IPReversePathFilter", "ip_reverse_path_filter"),
        ("MPCurrEstab", "mp_curr_estab"), ("TCPTSReorder", "tcp_ts_reorder"), ("DSSNoMatchTCP", "dss_no_match_tcp"),
        ("TcpExt", "tcp_ext"), ("memory", "memory"), ("odd-Name.x", "odd_name_x"), ("", ""), ("\u{FC}", ""),
        ("MPRstTx", "mp_rst_tx"), ("MPFailRx", "mp_fail_rx"), ("TCPSynRetrans", "tcp_syn_retrans"),
    ])
    func kernelNamesAreSpelledInWords(kernel: String, expected: String) {
        #expect(SnakeCase.name(kernel) == expected)
    }

    @Test func noTwoKnownColumnsOfARowShareAName() {
        for row in KnownColumns.rows {
            let columns = row.columns.split(separator: " ").map(String.init)
            #expect(Set(columns.map(SnakeCase.name)).count == columns.count, "\(row.name)")
        }
    }
}
