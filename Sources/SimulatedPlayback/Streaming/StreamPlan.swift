import PlayerPolicies
import StreamingMedia
import VirtualTime

/// The data that follow from a stream's settings: worked out once, and shared by its sessions.
final class StreamPlan: Sendable {
  /// With no variant left alone.
  let rungs: VariantRungs
  let lists: VariantLists
  /// Nothing of it is there yet, but for what the player has before it begins.
  let resources: ResourceTable
  /// By list.
  let segments: [[MediaSegment]]
  /// By list: the variants with its segments. Lists with segments of the same lengths share one.
  let ladders: [Ladder]

  init(_ settings: StreamSettings) {
    let presentation = settings.presentation
    rungs = VariantRungs(presentation, under: settings.constraints)
    lists = VariantLists(settings)
    resources = ResourceTable(
      presentation, hasPlaylists: settings.hasPlaylists && settings.live == nil)
    segments = presentation.lists.map { $0.segments }
    let variants = presentation.rungs
    ladders = segments.reduce(into: []) { ladders, segments in
      if let same = ladders.first(where: { $0.fits(segments) }) { return ladders.append(same) }
      let boundaries = segments.map { $0.start } + [segments.last?.end ?? .zero]
      ladders.append(Ladder(rungs: variants, boundaries: boundaries))
    }
  }

  /// The ladders with the true sizes of the segments, as some rules of the literature have them.
  func exactLadders(of presentation: Presentation) -> [Ladder] {
    ladders.indices.reduce(into: []) { exact, list in
      let ladder = ladders[list]
      if let same = ladders[..<list].firstIndex(where: { $0 === ladder }) {
        exact.append(exact[same])
        return
      }
      var rungs = ladder.rungs
      for (index, variant) in presentation.variants.enumerated() {
        let bytes: [Int64] = segments[variant.list].reduce(into: [0]) {
          $0.append(($0.last ?? 0) + $1.bytes)
        }
        if bytes.count == ladder.boundaries.count { rungs[index].bytes = bytes }
      }
      exact.append(Ladder(rungs: rungs, boundaries: ladder.boundaries))
    }
  }
}

extension Ladder {
  fileprivate func fits(_ segments: [MediaSegment]) -> Bool {
    segmentCount == segments.count && boundaries[segmentCount] == segments.last?.end ?? .zero
      && segments.indices.allSatisfy { segments[$0].start == boundaries[$0] }
  }
}

/// The plan, where it is worked out: settings are the same with it and without, so all are equal.
struct PreparedPlan: RawRepresentable, Hashable, Sendable {
  var plan: StreamPlan?
  var rawValue: Bool { true }

  init() {}
  init?(rawValue: Bool) {}
}
