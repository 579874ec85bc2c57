import Autowait
import VirtualTime

/// A machine beside a current item, so that a test can tell both in one go.
struct DrivenMachine: Hashable {
  var machine: AutowaitMachine
  var item: CurrentItem?

  /// Something that happens to the item or to the player.
  enum Happening: Hashable {
    case event(PlaybackEvent)
    case arrived(BufferCondition)
    case removed
    case failed
    case changed(BufferCondition)
    case ranDry(DryCause, BufferCondition)
    /// An item comes of which nothing has ever been there.
    case young
    /// Nothing is left to find out of the item.
    case decided
    /// The item is another's successor in nothing: its start is waited for.
    case begins

    static func setRate(_ rate: PlaybackRate) -> Happening { .event(.setRate(rate)) }
    static func playImmediately(_ rate: PlaybackRate) -> Happening {
      .event(.playImmediately(rate))
    }
  }

  init(waitsAutomatically: Bool = true, evaluatesFirst: Bool = false) {
    machine = AutowaitMachine(
      waitsAutomatically: waitsAutomatically, evaluatesFirst: evaluatesFirst)
  }

  mutating func handle(_ happening: Happening) -> TransitionRule? {
    switch happening {
    case .event(let event): return machine.handle(event, item)
    case .arrived(let buffer):
      item = CurrentItem(buffer)
      return machine.handle(.itemArrived, item)
    case .removed:
      item = nil
      return machine.handle(.itemRemoved, nil)
    case .failed:
      item?.hasFailed = true
      return machine.handle(.itemFailed, item)
    case .changed(let buffer):
      if item == nil { return nil }
      item?.buffer = buffer
      if !buffer.isEmpty { item?.hasHadMedia = true }
      return machine.handle(.bufferChanged, item)
    case .ranDry(let cause, let buffer):
      if item == nil { return nil }
      item?.buffer = buffer
      return machine.handle(.ranDry(cause), item)
    case .young:
      item = CurrentItem(.nothing, hasHadMedia: false)
      return machine.handle(.itemArrived, item)
    case .decided:
      if item == nil { return nil }
      item?.isDecided = true
      return machine.handle(.bufferChanged, item)
    case .begins: return machine.handle(.itemBegins, item)
    }
  }

  var control: TimeControl { machine.control }
  var rate: PlaybackRate { machine.rate }
}
