/// The columns known to this version: those of kernels 5.10 to 6.18.
///
/// They make the metric catalog. A column of a newer kernel is reported by the naming rule all the same, with a note in
/// the log.
enum KnownColumns {
    /// A row of a table with its columns, separated by spaces.
    struct Row {
        let table: ProcTable
        let name: String
        let columns: String
    }

    /// The columns of a row; empty for a row unknown to this version.
    static func names(of row: String) -> Set<Substring> {
        Set(rows.first { $0.name == row }?.columns.split(separator: " ") ?? [])
    }

    static let rows = [
        Row(
            table: .snmp,
            name: "Ip",
            columns: """
                Forwarding DefaultTTL InReceives InHdrErrors InAddrErrors ForwDatagrams InUnknownProtos \
                InDiscards InDelivers OutRequests OutDiscards OutNoRoutes ReasmTimeout ReasmReqds ReasmOKs \
                ReasmFails FragOKs FragFails FragCreates OutTransmits
                """
        ),
        Row(
            table: .snmp,
            name: "Icmp",
            columns: """
                InMsgs InErrors InCsumErrors InDestUnreachs InTimeExcds InParmProbs InSrcQuenchs InRedirects \
                InEchos InEchoReps InTimestamps InTimestampReps InAddrMasks InAddrMaskReps OutMsgs OutErrors \
                OutRateLimitGlobal OutRateLimitHost OutDestUnreachs OutTimeExcds OutParmProbs OutSrcQuenchs \
                OutRedirects OutEchos OutEchoReps OutTimestamps OutTimestampReps OutAddrMasks OutAddrMaskReps
                """
        ),
        Row(
            table: .snmp,
            name: "Tcp",
            columns: """
                RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens AttemptFails EstabResets CurrEstab \
                InSegs OutSegs RetransSegs InErrs OutRsts InCsumErrors
                """
        ),
        Row(
            table: .snmp,
            name: "Udp",
            columns: """
                InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors InCsumErrors IgnoredMulti \
                MemErrors
                """
        ),
        Row(
            table: .snmp,
            name: "UdpLite",
            columns: """
                InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors InCsumErrors IgnoredMulti \
                MemErrors
                """
        ),
        Row(
            table: .netstat,
            name: "TcpExt",
            columns: """
                SyncookiesSent SyncookiesRecv SyncookiesFailed EmbryonicRsts PruneCalled RcvPruned OfoPruned \
                OutOfWindowIcmps LockDroppedIcmps ArpFilter TW TWRecycled TWKilled PAWSActive PAWSEstab \
                BeyondWindow TSEcrRejected PAWSOldAck PAWSTimewait DelayedACKs DelayedACKLocked DelayedACKLost \
                ListenOverflows ListenDrops TCPHPHits TCPPureAcks TCPHPAcks TCPRenoRecovery TCPSackRecovery \
                TCPSACKReneging TCPSACKReorder TCPRenoReorder TCPTSReorder TCPFullUndo TCPPartialUndo \
                TCPDSACKUndo TCPLossUndo TCPLostRetransmit TCPRenoFailures TCPSackFailures TCPLossFailures \
                TCPFastRetrans TCPSlowStartRetrans TCPTimeouts TCPLossProbes TCPLossProbeRecovery \
                TCPRenoRecoveryFail TCPSackRecoveryFail TCPRcvCollapsed TCPBacklogCoalesce TCPDSACKOldSent \
                TCPDSACKOfoSent TCPDSACKRecv TCPDSACKOfoRecv TCPAbortOnData TCPAbortOnClose TCPAbortOnMemory \
                TCPAbortOnTimeout TCPAbortOnLinger TCPAbortFailed TCPMemoryPressures TCPMemoryPressuresChrono \
                TCPSACKDiscard TCPDSACKIgnoredOld TCPDSACKIgnoredNoUndo TCPSpuriousRTOs TCPMD5NotFound \
                TCPMD5Unexpected TCPMD5Failure TCPSackShifted TCPSackMerged TCPSackShiftFallback TCPBacklogDrop \
                PFMemallocDrop TCPMinTTLDrop TCPDeferAcceptDrop IPReversePathFilter TCPTimeWaitOverflow \
                TCPReqQFullDoCookies TCPReqQFullDrop TCPRetransFail TCPRcvCoalesce TCPOFOQueue TCPOFODrop \
                TCPOFOMerge TCPChallengeACK TCPSYNChallenge TCPFastOpenActive TCPFastOpenActiveFail \
                TCPFastOpenPassive TCPFastOpenPassiveFail TCPFastOpenListenOverflow TCPFastOpenCookieReqd \
                TCPFastOpenBlackhole TCPSpuriousRtxHostQueues BusyPollRxPackets TCPAutoCorking \
                TCPFromZeroWindowAdv TCPToZeroWindowAdv TCPWantZeroWindowAdv TCPSynRetrans TCPOrigDataSent \
                TCPHystartTrainDetect TCPHystartTrainCwnd TCPHystartDelayDetect TCPHystartDelayCwnd \
                TCPACKSkippedSynRecv TCPACKSkippedPAWS TCPACKSkippedSeq TCPACKSkippedFinWait2 \
                TCPACKSkippedTimeWait TCPACKSkippedChallenge TCPWinProbe TCPKeepAlive TCPMTUPFail TCPMTUPSuccess \
                TCPDelivered TCPDeliveredCE TCPAckCompressed TCPZeroWindowDrop TCPRcvQDrop TCPWqueueTooBig \
                TCPFastOpenPassiveAltKey TcpTimeoutRehash TcpDuplicateDataRehash TCPDSACKRecvSegs \
                TCPDSACKIgnoredDubious TCPMigrateReqSuccess TCPMigrateReqFailure TCPPLBRehash TCPAORequired \
                TCPAOBad TCPAOKeyNotFound TCPAOGood TCPAODroppedIcmps
                """
        ),
        Row(
            table: .netstat,
            name: "IpExt",
            columns: """
                InNoRoutes InTruncatedPkts InMcastPkts OutMcastPkts InBcastPkts OutBcastPkts InOctets OutOctets \
                InMcastOctets OutMcastOctets InBcastOctets OutBcastOctets InCsumErrors InNoECTPkts InECT1Pkts \
                InECT0Pkts InCEPkts ReasmOverlaps
                """
        ),
        Row(
            table: .netstat,
            name: "MPTcpExt",
            columns: """
                MPCapableSYNRX MPCapableSYNTX MPCapableSYNACKRX MPCapableACKRX MPCapableFallbackACK \
                MPCapableFallbackSYNACK MPCapableSYNTXDrop MPCapableSYNTXDisabled MPCapableEndpAttempt \
                MPFallbackTokenInit MPTCPRetrans MPJoinNoTokenFound MPJoinSynRx MPJoinSynBackupRx MPJoinSynAckRx \
                MPJoinSynAckBackupRx MPJoinSynAckHMacFailure MPJoinAckRx MPJoinAckHMacFailure MPJoinRejected \
                MPJoinSynTx MPJoinSynTxCreatSkErr MPJoinSynTxBindErr MPJoinSynTxConnectErr DSSNotMatching \
                DSSCorruptionFallback DSSCorruptionReset InfiniteMapTx InfiniteMapRx DSSNoMatchTCP DataCsumErr \
                OFOQueueTail OFOQueue OFOMerge NoDSSInWindow DuplicateData AddAddr AddAddrTx AddAddrTxDrop \
                EchoAdd EchoAddTx EchoAddTxDrop PortAdd AddAddrDrop MPJoinPortSynRx MPJoinPortSynAckRx \
                MPJoinPortAckRx MismatchPortSynRx MismatchPortAckRx RmAddr RmAddrDrop RmAddrTx RmAddrTxDrop \
                RmSubflow MPPrioTx MPPrioRx MPFailTx MPFailRx MPFastcloseTx MPFastcloseRx MPRstTx MPRstRx \
                SubflowStale SubflowRecover SndWndShared RcvWndShared RcvWndConflictUpdate RcvWndConflict \
                MPCurrEstab Blackhole MPCapableDataFallback MD5SigFallback DssFallback SimultConnectFallback \
                FallbackFailed WinProbe
                """
        ),
        Row(
            table: .snmp6,
            name: "Ip6",
            columns: """
                InReceives InHdrErrors InTooBigErrors InNoRoutes InAddrErrors InUnknownProtos InTruncatedPkts \
                InDiscards InDelivers OutForwDatagrams OutRequests OutDiscards OutNoRoutes ReasmTimeout \
                ReasmReqds ReasmOKs ReasmFails FragOKs FragFails FragCreates InMcastPkts OutMcastPkts InOctets \
                OutOctets InMcastOctets OutMcastOctets InBcastOctets OutBcastOctets InNoECTPkts InECT1Pkts \
                InECT0Pkts InCEPkts OutTransmits
                """
        ),
        Row(
            table: .snmp6,
            name: "Icmp6",
            columns: """
                InMsgs InErrors OutMsgs OutErrors InCsumErrors OutRateLimitHost InDestUnreachs InPktTooBigs \
                InTimeExcds InParmProblems InEchos InEchoReplies InGroupMembQueries InGroupMembResponses \
                InGroupMembReductions InRouterSolicits InRouterAdvertisements InNeighborSolicits \
                InNeighborAdvertisements InRedirects InMLDv2Reports OutDestUnreachs OutPktTooBigs OutTimeExcds \
                OutParmProblems OutEchos OutEchoReplies OutGroupMembQueries OutGroupMembResponses \
                OutGroupMembReductions OutRouterSolicits OutRouterAdvertisements OutNeighborSolicits \
                OutNeighborAdvertisements OutRedirects OutMLDv2Reports
                """
        ),
        Row(
            table: .snmp6,
            name: "Udp6",
            columns: """
                InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors InCsumErrors IgnoredMulti \
                MemErrors
                """
        ),
        Row(
            table: .snmp6,
            name: "UdpLite6",
            columns: """
                InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors InCsumErrors MemErrors
                """
        ),
        Row(
            table: .sockstat,
            name: "sockets",
            columns: """
                used
                """
        ),
        Row(
            table: .sockstat,
            name: "TCP",
            columns: """
                inuse orphan tw alloc mem
                """
        ),
        Row(
            table: .sockstat,
            name: "UDP",
            columns: """
                inuse mem
                """
        ),
        Row(
            table: .sockstat,
            name: "UDPLITE",
            columns: """
                inuse
                """
        ),
        Row(
            table: .sockstat,
            name: "RAW",
            columns: """
                inuse
                """
        ),
        Row(
            table: .sockstat,
            name: "FRAG",
            columns: """
                inuse memory
                """
        ),
        Row(
            table: .sockstat6,
            name: "TCP6",
            columns: """
                inuse
                """
        ),
        Row(
            table: .sockstat6,
            name: "UDP6",
            columns: """
                inuse
                """
        ),
        Row(
            table: .sockstat6,
            name: "UDPLITE6",
            columns: """
                inuse
                """
        ),
        Row(
            table: .sockstat6,
            name: "RAW6",
            columns: """
                inuse
                """
        ),
        Row(
            table: .sockstat6,
            name: "FRAG6",
            columns: """
                inuse memory
                """
        ),
    ]
}
