internal import SondeWire

extension LinePrivacy {
    /// The words of the formats: of resolvers' logs, of the programs that write them down, of types and codes.
    static let words: Set<String> = {
        let types = (Array(1...300) + [32768, 32769]).map { DNSType(rawValue: UInt16($0)).mnemonic.lowercased() }
        return Set(types).union(vocabulary.split(whereSeparator: \.isWhitespace).map(String.init))
    }()

    private static let vocabulary = """
        jan feb mar apr may jun jul aug sep oct nov dec mon tue wed thu fri sat sun utc gmt am pm
        debug info notice warning error fatal err crit verbose detail operational stderr stdout log msg time level ts
        subsystem component instance prio tid mtid uid qid
        unbound named bind dnsmasq dnsmasq-dhcp pdns pdns_recursor pdns-recursor recursor powerdns coredns kresd knot systemd
        journal plugin plugins errors query queries query-errors client clients view default _default _bind resolver iterator
        validator security network general lame server servers lame-servers dnssec edns-disabled rate-limit
        reply cached forwarded config auth is from to for of in on at by and or not no yes the a an with as was were has have
        dns read write udp tcp tls doh doq dot https https3 http quic dnscrypt grpc plain netlink internal local remote
        answer answers question questions answered packet cache tag cname dname nil nodata nodata-ipv4 nodata-ipv6 nxdomain
        noerror servfail formerr notimp notimpl refused yxdomain yxrrset nxrrset notauth notzone badvers badsig badkey badtime
        badmode badname badalg badtrunc badcookie reserved dsotypeni bogus abandoned secure insecure truncated duplicate stale
        cached-stale dnssec-query dnssec-retry dnssec-ds dnssec-dnskey validation result ede ecs signed possible
        rebind attack detected rebinding exactly blacklisted denied denial gravity blocked regex during inspection special
        domain pi-hole pihole hostname hosts etc dhcp dropped dropping rate-limiting limiting rate unanswered timeout timed out
        connection unreachable no-route host reached implemented resolving unexpected rcode format elapsed non-rd rd
        proto qname qtype qclass size us ms tot netw null none true false dial i o key tsig sign opt code chaos any
        additional lookup sent sending retrying retry after before failed failure failing fail failed loop recursion
        requested available desired response request records record ttl total max zero start started starting stopped
        listening ready reload version release linux pid service exiting bytes number
        t cp ip qh qt ip ch cd do p f s e d k c v hs ra aa tc ad inet ipv4 ipv6 result answerdata origanswer upstream isfiltered
        reason rules filterlistid text type class
        td tc tdc dc se st std stdc sc sd sdc tv tdv tdcv dv dcv cv tk tdk tdck dk dck ck
        syncres dotout outqueries tcpout throttled timeouts netms totms validationstate indeterminate source update root
        housekeeping took packets connections neither nor match matched
        policy reqdbg bad compression pointer rpz passthru rewrite via zone did allow name unprintable address
        """
}
