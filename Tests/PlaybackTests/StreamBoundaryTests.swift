import SimulatedWorld
import TestSupport
import Testing

/// The gap where one stream follows another, held against a closed form.
@Suite struct StreamBoundaryTests {
  struct Sound: Equatable {
    var codec: String
    var channels: Int32
    var sampleRate: Int64
  }

  struct Plan {
    var sounds: [Sound]
    var sdk: Int32
    var isLenient: Bool
    var costs: PipelineCosts
    var padding: [EncoderPadding]

    init(_ random: inout RandomStream) {
      func pick<Value>(_ values: [Value]) -> Value {
        values[Int(random.next(below: UInt64(values.count)))]
      }
      sounds = (0..<2).map { _ in
        Sound(
          codec: pick(["mp4a.40.2", "mp4a.40.2", "ac-3"]), channels: pick([2, 2, 6]),
          sampleRate: pick([44_100, 48_000]))
      }
      sdk = pick([14, 15, 18, 26])
      isLenient = pick([true, false])
      costs = PipelineCosts(
        build: .milliseconds(random.next(in: 0...400)),
        preroll: .milliseconds(random.next(in: 0...900)))
      padding = (0..<2).map { _ in
        EncoderPadding(
          priming: random.next(in: 0...3_000), remainder: random.next(in: 0...1_023),
          sampleRate: 48_000, hasEditList: pick([true, false]))
      }
    }

    func item(_ index: Int) throws -> ItemSettings {
      let sound = sounds[index]
      let presentation = try Presentation(
        LadderDescription(
          rungs: [LadderRung(resolution: nil, bitRate: 900_000, codecs: ["avc1.4d401e"])],
          audio: [
            LadderAudio(
              name: "Sound", bitRate: 100_000, codec: sound.codec, channels: sound.channels,
              sampleRate: sound.sampleRate)
          ], segmentDuration: .seconds(4), duration: .seconds(12)))
      var stream = StreamSettings(presentation: presentation)
      stream.encoderPadding = padding[index]
      return ItemSettings(source: .stream(stream))
    }

    /// As one would say it, without any of the player.
    var expected: (gap: TimeSpan, silence: Double) {
      var a = sounds[0]
      if isLenient { a.sampleRate = sounds[1].sampleRate }
      let isGapless = sdk >= 15 && a == sounds[1]
      let remainder = padding[0].hasEditList ? 0 : padding[0].remainder
      let priming = padding[1].hasEditList ? 0 : padding[1].priming
      return (
        isGapless ? .zero : costs.build + costs.preroll,
        Double(remainder) / 48_000 + Double(priming) / 48_000
      )
    }
  }

  @Test func `boundaries of made-up streams are as long as they should be`() throws {
    var random = RandomStream(seed: 21, name: "boundaries")
    var gapless = 0
    let count = Seeds.count(60, inRelease: 200)
    for number in 0..<count {
      let plan = Plan(&random)
      let world = try World(
        conditions: LinkConditions(
          downlink: .init(bandwidth: .limited(.bitsPerSecond(20_000_000)))))
      var settings = PlayerSettings(
        contract: Contract(major: plan.sdk), pipeline: plan.costs)
      settings.gaplessStrictness = plan.isLenient ? .lenient : .strict
      let player = world.makeQueuePlayer(settings)
      var transitions: [ItemTransition] = []
      player.observe { record in
        if case .itemTransition(let transition) = record.observation {
          transitions.append(transition)
        }
      }
      for index in 0..<2 { try player.insert([SimulatedPlayerItem(try plan.item(index))]) }
      player.play()
      _ = world.run()
      let expected = plan.expected
      #expect(transitions.count == 1)
      let transition = try #require(transitions.first)
      #expect(transition.gap == expected.gap, "\(number): \(plan)")
      let silence = Double(transition.silence.nanoseconds) / 1e9
      #expect(abs(silence - expected.silence) < 3e-9)
      let kind: ItemTransition.Kind =
        expected.gap > .zero ? .hiccup : expected.silence > 0 ? .audibleGlitch : .seamless
      #expect(transition.kind == kind)
      #expect(world.finish() == [])
      if expected.gap == .zero { gapless += 1 }
    }
    #expect((count / 10...count * 3 / 5).contains(gapless))
  }
}
