package import VirtualTime

extension Link {
  /// Puts competing downloads on the link.
  ///
  /// Nothing is told of them but what they do to the flows of others.
  package func startTraffic(_ new: CompetingTraffic, at now: Instant) -> TrafficID {
    traffic.entries.append(TrafficTable.Entry(traffic: new))
    let index = traffic.entries.count - 1
    if new.begins <= now { begin(index, at: now) }
    traffic.findNextDue()
    findNextWake()
    return TrafficID(rawValue: Int32(truncatingIfNeeded: index + 1))
  }

  package func stopTraffic(_ id: TrafficID, at now: Instant) {
    guard let index = index(of: id) else { return }
    end(index, at: now)
    traffic.findNextDue()
    findNextWake()
  }

  /// Its reader stops reading, or reads on; traffic that has not begun begins like this.
  package func setTrafficSuspended(_ suspended: Bool, _ id: TrafficID, at now: Instant) {
    guard let index = index(of: id) else { return }
    traffic.entries[index].isSuspended = suspended
    for transfer in traffic.entries[index].transfers {
      path.setSuspended(suspended, transfer, at: now)
    }
    findNextWake()
  }

  private func index(of id: TrafficID) -> Int? {
    let index = Int(id.rawValue) - 1
    return traffic.entries.indices.contains(index) ? index : nil
  }

  private func begin(_ index: Int, at now: Instant) {
    let entry = traffic.entries[index]
    // Nothing is asked for of which the end has passed.
    if let ends = entry.traffic.ends, ends < now {
      traffic.entries[index].phase = .over
      return
    }
    // A server of its own for each, or the one that the media comes from.
    let host =
      entry.traffic.sharesConnections
      ? LinkPath.mediaHost : .min + Int32(truncatingIfNeeded: index)
    traffic.entries[index].phase = .running
    if !entry.traffic.sharesConnections {
      path.add(host, connections: entry.traffic.connections, at: now)
    }
    for _ in 0..<entry.traffic.connections {
      let id = start(
        Request(
          bytes: entry.traffic.bytes ?? LinkLimits.mostBytes, host: host,
          owner: TrafficTable.owner(index), followsLine: false),
        at: now)
      traffic.entries[index].transfers.append(id)
      if entry.isSuspended { path.setSuspended(true, id, at: now) }
    }
  }

  private func end(_ index: Int, at now: Instant) {
    traffic.entries[index].phase = .over
    for transfer in traffic.entries[index].transfers { cancel(transfer, at: now) }
    traffic.entries[index].transfers.removeAll()
  }

  func attendTraffic(at now: Instant) {
    for index in traffic.entries.indices where traffic.entries[index].due <= now {
      switch traffic.entries[index].phase {
      case .expected: begin(index, at: now)
      case .running: end(index, at: now)
      case .over: break
      }
    }
    traffic.findNextDue()
  }
}
