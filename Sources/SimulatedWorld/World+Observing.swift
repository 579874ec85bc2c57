public import SimulatedPlayback

// Telling the app what became different.

extension World {
  /// Delivers every change of every player, in order.
  @discardableResult
  public func observe(_ handler: @escaping (PlaybackRecord) -> Void) -> ObservationToken {
    observe(nil, handler)
  }

  /// Delivers what happens from now on.
  func observe(
    _ player: Int32?, _ handler: @escaping (PlaybackRecord) -> Void
  ) -> ObservationToken {
    observationCount += 1
    let id = ObservationToken(number: observationCount)
    let since = deliveredBefore + Int64(stage.log.records.count)
    observers.append(Observer(id: id, player: player, since: since, handler: handler))
    stage.log.isEnabled = true
    return id
  }

  /// Whether requests of streams are told with their URIs.
  package var tellsURIs: Bool {
    get { stage.log.keepsURIs }
    set { stage.log.keepsURIs = newValue }
  }

  /// Ends an observation: what happens from now on is not delivered to it.
  public func stopObserving(_ id: ObservationToken) {
    observers.removeAll { $0.id == id }
  }

  /// Hands the observers what they have not seen; what a handler causes comes after it.
  func deliver() {
    if isDelivering { return }
    isDelivering = true
    while delivered < stage.log.records.count {
      let record = stage.log.records[delivered]
      let number = deliveredBefore + Int64(delivered)
      delivered += 1
      for observer in observers
      where observer.player ?? record.player == record.player && observer.since <= number
        && observers.contains(where: { $0.id == observer.id })
      {
        observer.handler(record)
      }
    }
    deliveredBefore += Int64(delivered)
    stage.log.records.removeAll(keepingCapacity: true)
    delivered = 0
    isDelivering = false
  }
}
