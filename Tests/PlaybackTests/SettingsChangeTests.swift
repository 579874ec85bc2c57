import LinkConditioner
import PlayerPolicies
import SimulatedPlayback
import StreamingMedia
import Testing
import VirtualTime

/// What follows from new settings of an item, and where an item may stand: values alone.
@Suite struct SettingsChangeTests {
  private func stream(_ adjust: (inout StreamSettings) -> Void = { _ in }) throws -> ItemSettings {
    let ladder = LadderDescription(
      rungs: [LadderRung(resolution: nil, bitRate: 1_000_000)], segmentDuration: .seconds(4),
      duration: .seconds(20))
    var settings = StreamSettings(presentation: try Presentation(ladder))
    adjust(&settings)
    return ItemSettings(source: .stream(settings))
  }

  private var file: ItemSettings {
    ItemSettings(
      source: .progressive(
        MediaFile(duration: .seconds(10), bitRate: .megabitsPerSecond(1))))
  }

  @Test func `the same settings are no change, and most settings are read where they stand`() throws
  {
    for old in [file, try stream()] {
      var new = old
      #expect(SettingsChange(from: old, to: new) == SettingsChange(from: file, to: file))
      new.preferredForwardBufferDuration = .seconds(9)
      new.bufferByteCap = 1_000
      new.startTime = .seconds(3)
      new.live.preservesOffset = true
      #expect(SettingsChange(from: old, to: new) == SettingsChange(from: file, to: file))
    }
  }

  @Test func `another end, other tracks`() {
    var new = file
    new.forwardPlaybackEndTime = .seconds(4)
    #expect(SettingsChange(from: file, to: new).end)
    #expect(SettingsChange(from: new, to: file).end)
    #expect(!SettingsChange(from: new, to: new).end && !SettingsChange(from: file, to: new).tracks)
    for adjust: (inout ItemSettings) -> Void in [
      { $0.disabledTracks = [1] }, { $0.selectedAudio = "de" }, { $0.selectedSubtitles = "en" },
    ] {
      var other = file
      adjust(&other)
      #expect(SettingsChange(from: file, to: other).tracks)
      #expect(!SettingsChange(from: file, to: other).end)
    }
  }

  @Test func `what a stream's variants may be, and its languages`() throws {
    let old = try stream()
    let capped = try stream { $0.constraints.preferredPeakBitRate = 1_000 }
    #expect(
      SettingsChange(from: old, to: capped).constraints?.preferredPeakBitRate == 1_000)
    #expect(SettingsChange(from: capped, to: capped).constraints == nil)
    let other = try stream {
      $0.audioLanguage = "fr"
      $0.subtitleLanguage = "en"
    }
    #expect(
      SettingsChange(from: old, to: other).languages
        == [MediaSelection(.audio, language: "fr"), MediaSelection(.subtitles, language: "en")])
    #expect(
      SettingsChange(from: other, to: old).languages
        == [MediaSelection(.audio, language: nil), MediaSelection(.subtitles, language: nil)])
    // A file has neither.
    #expect(SettingsChange(from: file, to: other).languages.isEmpty)
    #expect(SettingsChange(from: old, to: file).constraints == nil)
  }

  @Test func `a language that is selected already is no change`() throws {
    for settings in [file, try stream()] {
      for kind in [TrackKind.audio, .subtitles, .main] {
        var item = settings
        let languages = ["fr", "fr", "en", nil, nil]
        let answers = languages.map { item.select(MediaSelection(kind, language: $0)) }
        // Nobody selects pictures.
        #expect(
          answers
            == (kind == .main
              ? [false, false, false, false, false]
              : [
                true, false, true, true, false,
              ]))
        #expect(item == settings)
      }
    }
  }

  // MARK: Where an item may stand

  private func item() -> PlayerItem { PlayerItem(file) }

  @Test func `an item comes behind another, behind the current one, or at the end`() throws {
    var queue = PlayQueue(index: 0, PolicyPreset.avfoundation.description, .none)
    let (current, a, b) = (item(), item(), item())
    var places = [try queue.place(after: nil, behind: current)]
    places.append(try queue.place(after: current, behind: current))
    queue.insert(a, at: 0)
    queue.insert(b, at: 1)
    places.append(try queue.place(after: nil, behind: current))
    places.append(try queue.place(after: current, behind: current))
    places.append(try queue.place(after: a, behind: current))
    places.append(try queue.place(after: b, behind: current))
    #expect(places == [0, 0, 2, 0, 1, 2])
    var refusals = 0
    for other in [item(), item()] {
      do throws(PlayerError) {
        _ = try queue.place(after: other, behind: current)
      } catch {
        #expect(error == .notEnqueued)
        refusals += 1
      }
    }
    #expect(refusals == 2)
  }

  @Test func `an item stands in one queue, once, and may come back to it`() throws {
    var stage = Stage(link: try Link(conditions: LinkConditions()), log: PlaybackLog())
    var queue = PlayQueue(index: 4, PolicyPreset.avfoundation.description, .none)
    let other = PlayQueue(index: 5, PolicyPreset.avfoundation.description, .none)
    let item = item()
    var refusals = [queue.refusal(of: item)]
    queue.open(item, at: .zero)
    refusals += [queue.refusal(of: item), other.refusal(of: item)]
    queue.close(item, for: nil, at: .zero, on: &stage)
    refusals += [queue.refusal(of: item), other.refusal(of: item)]
    #expect(
      refusals == [nil, .alreadyEnqueued, .belongsToAnotherPlayer, nil, .belongsToAnotherPlayer])
  }
}
