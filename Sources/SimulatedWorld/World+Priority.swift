public import SimulatedPlayback
import VirtualTime

// Who comes first on the link, and what it costs.

extension SimulatedPlayer {
  /// `AVPlayer.networkResourcePriority`: it may change at any time, and what is being loaded goes
  /// on with it. That it does so at once is our assumption.
  public var networkResourcePriority: NetworkResourcePriority {
    get { core.networkResourcePriority }
    set {
      if newValue == core.networkResourcePriority { return }
      core.networkResourcePriority = newValue
      world.weigh(core, newValue)
      world.afterwards()
    }
  }
}

extension World {
  /// Whether the path is one that costs, such as a cellular one: for every item of every player.
  public var isNetworkExpensive: Bool {
    get { stage.isNetworkExpensive }
    set {
      if newValue == stage.isNetworkExpensive { return }
      stage.isNetworkExpensive = newValue
      for core in cores { core.surroundingsChanged(at: now, on: &stage) }
      afterwards()
    }
  }

  /// Gives a player's requests the shares of a priority.
  func weigh(_ core: PlayerCore, _ priority: NetworkResourcePriority) {
    link.setWeight(
      priority.weight, ofOwner: core.index, others: NetworkResourcePriority.standard.weight,
      at: now)
  }
}
