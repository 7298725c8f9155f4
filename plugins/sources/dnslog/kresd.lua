-- One line per finished request, for Sonde's log source: Knot Resolver has no query log of its own.
-- Load it at the end of kresd.conf:  dofile('/etc/knot-resolver/sonde.lua')
-- It is a layer that runs when a request ends, whatever its end: a rule of the module policy misses every SERVFAIL.
local ffi = require('ffi')
local kres = require('kres')

package.loaded['kres_modules.sondelog'] = { layer = { finish = function (state, req)
	local answer = req.answer
	local source = req.qsource
	-- Requests of the resolver itself have no client.
	if source.addr == nil then return state end
	local qtype = source.packet:qtype()
	log_info(ffi.C.LOG_GRP_POLICY, '[query] uid=%d client=%s proto=%s qname=%s qtype=%s rcode=%s cached=%s size=%d',
		req.uid,
		tostring(ffi.cast('struct sockaddr *', source.addr)),
		-- The flag tcp is set for what runs over TCP, too.
		source.flags.http and 'https' or source.flags.tls and 'tls' or source.flags.tcp and 'tcp' or 'udp',
		kres.dname2str(source.packet:qname()),
		tostring(kres.tostring.type[qtype] or ('TYPE' .. qtype)),
		answer ~= nil and kres.tostring.rcode[answer:rcode()] or 'none',
		tostring(req:all_from_cache()),
		answer ~= nil and tonumber(answer.size) or 0)
	return state
end } }
modules.load('sondelog')
log_level('info')
