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
      return machine.handle(.bufferChanged, item)
    case .ranDry(let cause, let buffer):
      if item == nil { return nil }
      item?.buffer = buffer
      return machine.handle(.ranDry(cause), item)
    }
  }

  var control: TimeControl { machine.control }
  var rate: PlaybackRate { machine.rate }
}
