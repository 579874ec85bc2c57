// What the app waits for: instants that it knows, and conditions that come true.

// MARK: - Many instants that are known from the start

extension World {
  /// Calls back at each of many instants of the course of things, by its place among them, in the
  /// order of one `at` after the other; only the next is pending.
  ///
  /// None of them keeps a run going in which everything else has come to rest.
  package func course(
    _ count: Int, of instant: (Int) -> Instant, _ action: @escaping (Int) -> Void
  ) {
    if count == 0 { return }
    calendars.append(
      Calendar(
        count, of: instant, from: now, sequence: queue.reserve(UInt64(count)), action: action))
    scheduleAppointments(of: calendars.count - 1)
  }

  private func scheduleAppointments(of number: Int) {
    for entry in calendars[number].takeNext() {
      _ = queue.schedule(
        EventPayload(
          kind: Kind.appointment, subject: UInt16(number), argument: UInt32(entry.place)),
        at: entry.instant, phase: Step.app,
        sequence: calendars[number].firstSequence + UInt64(entry.place))
    }
  }

  func keepAppointment(_ place: Int, of number: Int) {
    // Before anything else is scheduled by what is done now.
    if calendars[number].isLastPending(place) { scheduleAppointments(of: number) }
    calendars[number].action(place)
  }
}

extension World {
  /// Takes work beyond that of events off the budget.
  package func charge(_ events: Int64) { queue.charge(events) }
}

// MARK: - Watches

extension World {
  /// Calls the app back when a condition becomes true of a player, or at once if it is.
  public func when(
    _ condition: PlaybackCondition, of player: SimulatedPlayer, _ action: @escaping () -> Void
  ) {
    watches.add(
      Watches.Watch(player: Int(player.core.index), condition: condition, action: action))
    afterwards()
  }

  func armWatches() {
    for index in watches.takeLeft() {
      if let token = watches.all[index].token { _ = queue.cancel(token) }
      watches.arm(index, at: .distantFuture, by: nil)
    }
    var indices = watches.nearest(of: cores, at: now)
    repeat {
      for index in indices { arm(watch: index) }
      indices = watches.further(at: now)
    } while !indices.isEmpty
  }

  private func arm(watch index: Int) {
    let watch = watches.all[index]
    let instant = watch.condition.instant(of: cores[watch.player], after: now)
    if watch.instant == instant { return }
    if let token = watch.token { _ = queue.cancel(token) }
    let token =
      instant == .distantFuture
      ? nil
      : queue.schedule(
        EventPayload(kind: Kind.watch, argument: UInt32(index)), at: instant, phase: Step.app)
    watches.arm(index, at: instant, by: token)
  }

  func fire(_ index: Int) {
    watches.arm(index, at: .distantFuture, by: nil)
    let watch = watches.all[index]
    if !watch.isActive { return }
    let isTrue = watch.condition.isMet(by: cores[watch.player], at: now)
    watches.settle(index, isTrue: isTrue)
    if isTrue { watch.action() }
  }
}
