import VirtualTime

extension RequestDesk<FluidCarrier> {
  /// Gives every request its owner's shares, whether its bytes have begun to come or not.
  mutating func setWeights(_ weights: OwnerWeights, at now: Instant) {
    for index in jobs.indices {
      jobs[index].request.weight = weights.weight(of: jobs[index].request.owner)
    }
    carrier.setWeights(weights, at: now)
  }
}
