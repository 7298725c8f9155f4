internal import SondeDomain
internal import SondeEngine

extension DeliverySimulation {
    private static let failingCalls: [SimulatedFileSystem.Call] = [
        .open, .create, .read, .write, .truncate, .syncData, .syncDirectory, .rename, .unlink,
    ]

    /// What happens from outside, until it happens again.
    func meetChance() {
        guard agent != nil else { return restart() }
        guard hasFaults else { return }
        switch world.draw(0...9) {
        case 0...4: changeMood()
        case 5: stepWallClock()
        case 6: changeDisk()
        case 7: healDisk()
        default: if plan.crashes { prepareCrash() }
        }
        world.wakes[plan.chance] = world.now.advanced(by: world.milliseconds(100...20_000))
    }

    private func restart() {
        start()
        let pause = agent == nil ? Nanoseconds.seconds(5) : world.milliseconds(100...20_000)
        world.wakes[plan.chance] = world.now.advanced(by: pause)
    }

    private func changeMood() {
        let sink = world.draw(0...(plan.sinks.count - 1))
        let moods = SimulatedReceiver.Mood.allCases
        self.moods[sink] = world.isOneIn(2) ? .well : moods[world.draw(0...(moods.count - 1))]
        world.note("\(plan.sinks[sink].configuration.id) is \(self.moods[sink])")
    }

    private func stepWallClock() {
        let span = Nanoseconds(Int64(world.draw(-3_600...3_600)) * 1_000_000_000)
        world.clock.stepWall(by: span)
        world.note("wall clock steps by \(span.seconds) s")
    }

    private func changeDisk() {
        if plan.diskIsSlow, world.isOneIn(2) {
            isDiskSlow = true
            world.oracle.diskWasSlow = true
            world.note("disk is slow")
        }
        if plan.diskFills, world.isOneIn(2) {
            disk.quota = disk.usedBytes + world.draw(0...4_000)
            world.oracle.diskWasFull = true
            world.note("disk is nearly full")
        }
        if plan.diskFails, world.isOneIn(2) {
            let call = Self.failingCalls[world.draw(0...(Self.failingCalls.count - 1))]
            disk.fail(call, with: FileSystemError.inputOutput, oneIn: world.draw(2...10))
            world.oracle.diskHasFailed = true
            world.note("disk fails \(call.rawValue)")
        }
        if plan.diskFails, world.isOneIn(3) {
            // It can still be read, as one that was mounted read-only.
            for call in Self.failingCalls where call != .read && call != .open {
                disk.fail(call, with: FileSystemError.inputOutput, oneIn: 1)
            }
            world.oracle.diskHasFailed = true
            world.note("disk takes nothing any more")
        }
        if world.isOneIn(4) { disk.shortWriteOneIn = 5 }
    }

    private func healDisk() {
        disk.heal()
        isDiskSlow = false
        world.note("disk is well")
    }

    private func prepareCrash() {
        switch world.draw(0...3) {
        case 0: life.kill()
        case 1: agent?.stop()
        default: life.arm(after: world.draw(0...30))
        }
    }

    /// The agent has ended: what it had in memory is gone, and perhaps the power too.
    func mourn() {
        crashes += 1
        agent?.bury()
        world.oracle.memoryEnds()
        let wasRunning = agent != nil
        agent = nil
        disk.killProcess()
        if plan.cutsPower, world.isOneIn(2) {
            let kept = SimulatedFileSystem.PowerCut.allCases
            let choice = kept[world.draw(0...(kept.count - 1))]
            disk.cutPower(keeping: choice)
            world.oracle.seriesLifeEnds(powerWasCut: true)
            world.oracle.powerCut(
                at: world.now,
                wasRunning: wasRunning,
                patience: SyncSchedule.longestUnsafe
            )
            world.note("power cut keeping \(choice)")
        } else {
            world.note("agent is killed")
            world.oracle.seriesLifeEnds(powerWasCut: false)
        }
        life = CrashSwitch()
        for actor in 0..<plan.chance { world.wakes[actor] = nil }
        for actor in world.busyUntil.indices { world.busyUntil[actor] = world.now }
        world.wakes[plan.chance] = world.now.advanced(by: world.milliseconds(100...60_000))
    }
}
