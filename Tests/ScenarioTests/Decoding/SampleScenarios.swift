import Foundation
import TestSupport

/// Scenarios that use, between them, every part of the format.
enum SampleScenario {
  /// A file that a sample names: a recorded link or a playlist of those that are shipped.
  static func file(beside path: String) -> [UInt8]? {
    for folder in ["Scenarios/links/", "Scenarios/real-playlists/"] {
      let file = Checkout.at(folder + path).path
      if let data = FileManager.default.contents(atPath: file) { return [UInt8](data) }
    }
    return nil
  }

  /// The on-stage demo, as the plan of the house has it.
  static let demo = """
    {
      "$schema": "scenario.schema.json",
      "scenario": "Slow Server: play, then wait",
      "about": "A link a little slower than the media. Play waits until the end can be reached.",
      "seed": 503,
      "link": { "profile": "Slow Server" },
      "media": { "progressive": { "duration": "39 s", "bitrate": "2 Mbit/s" } },
      "player": { "linkedSDK": "iOS 10" },
      "script": [ { "when": "loaded >= 0.3 s", "do": "play" } ],
      "expect": [
        { "at": { "after": "play", "by": "3.5 s" }, "timeControlStatus": "waiting",
          "reasonForWaitingToPlay": "toMinimizeStalls", "rate": 1, "timebaseRate": 0 },
        { "stallCount": 0 },
        { "startupDelay": { "between": ["6.09 s", "6.12 s"] } }
      ]
    }
    """

  /// Whatever the demo does without.
  static let everything = """
    {
      "scenario": "Everything at once",
      "about": "Each verb, each condition, each sort of expectation.",
      "seed": 18446744073709551615, "fidelity": "fluid", "horizon": "5 min", "eventBudget": 100000,
      "link": {
        "profile": "3G", "delay": "50 ms", "loss": "1 %", "dnsDelay": "20 ms", "switchedOn": false,
        "downlink": { "bandwidth": "0.826531177829 Mbit/s", "queue": 40 },
        "uplink": { "bandwidth": "unlimited", "delay": "10 ms", "loss": "0 %" },
        "schedule": {
          "steps": [
            { "for": "4 s", "bandwidth": "1 Mbit/s", "latency": "20 ms" },
            { "for": "2 s", "bandwidth": "0 bit/s" }
          ],
          "then": "repeat", "clock": "pausedDuringLatency", "offset": "1 s"
        },
        "outages": [ { "from": "8 s", "for": "3 s" } ]
      },
      "media": {
        "progressive": {
          "duration": "4.5 s", "sizesPerSecond": ["100 KB", "90 KB", "0 B", "1 MiB", "1 byte"],
          "headAtom": { "size": "64 KB", "at": "end" }
        }
      },
      "player": {
        "linkedSDK": "macOS 10.12", "automaticallyWaitsToMinimizeStalling": false,
        "heuristic": "thresholds 1 s/2 s", "evaluationPeriod": "100 ms", "defaultRate": 1.25,
        "actionAtItemEnd": "none", "item": "byScript", "preferredForwardBufferDuration": "10 s",
        "bufferCap": "2 MB", "forwardPlaybackEndTime": "4 s", "startTime": "0.5 s",
        "retry": { "attempts": 2, "backOff": "1 s", "longestBackOff": "3 s" }
      },
      "requests": {
        "http": "1.1", "connectionsPerHost": 4, "tls": "1.2", "idleTimeout": "30 s",
        "congestionControl": "reno", "initialWindow": 4, "slowStartAfterIdle": false,
        "idleLink": "passesAtOnce", "bucketDepth": "3 KB", "lossPosition": "afterQueue",
        "timeouts": { "firstByte": "20 s", "idle": "10 s", "whole": "5 min" }
      },
      "faults": [
        { "status": 503, "requests": 1, "url": "movie.mp4" },
        { "reset": { "after": "64 KB" }, "requests": [2, 3], "chance": "50 %" },
        { "stall": { "after": "0 B" }, "requests": 9 },
        { "slowFirstByte": "200 ms", "url": "*#head" }
      ],
      "traffic": [
        { "name": "updates", "from": "1 s", "to": "20 s", "connections": 2 },
        { "name": "photos", "bytes": "3 MB" }
      ],
      "leakedPlayers": [
        { "media": { "progressive": { "duration": "9 s", "size": "1 MB" } }, "from": "2 s" }
      ],
      "script": [
        { "at": "0 s", "do": "setItem" },
        { "at": { "after": "setItem", "by": "1 s" }, "do": "switchLink", "to": "on" },
        { "when": "readyToPlay", "do": "playImmediately", "rate": 1.5, "name": "begin" },
        { "when": "playing", "after": "begin", "do": "setRate", "rate": 2 },
        { "when": "bufferEmpty", "after": "begin", "do": "pause" },
        { "when": "waiting", "do": "setDefaultRate", "rate": "0.5" },
        { "when": "ahead >= 1 s", "do": "seek", "to": "3 s", "name": "jump" },
        { "when": "likelyToKeepUp", "do": "setForwardPlaybackEndTime", "to": null },
        { "when": "bufferFull", "do": "setActionAtItemEnd", "to": "pause" },
        { "when": "paused", "after": "jump", "do": "play" },
        { "when": "stallCount >= 2", "do": "setAutomaticallyWaitsToMinimizeStalling", "to": true },
        { "when": "currentTime >= 2 s", "do": "setPreferredForwardBufferDuration", "to": "0 s" },
        { "when": "failed", "do": "removeItem" },
        { "at": "9 s", "do": "setRateAtHostTime", "rate": 1, "time": "1 s", "hostTime": "in 2 s" },
        { "at": "10 s", "do": "setRateAtHostTime", "rate": 1, "hostTime": "2 s ago", "name": "b" },
        { "at": "11 s", "do": "setRateAtHostTime", "rate": 0, "hostTime": "at 12 s", "name": "c" },
        { "at": "12 s", "do": "changeLink", "to": { "relativeBandwidth": "85.8 %" } },
        { "at": "13 s", "do": "changeSchedule", "to": null },
        { "at": "14 s", "do": "suspendTraffic", "traffic": "updates" },
        { "at": "15 s", "do": "resumeTraffic", "traffic": "updates" },
        { "at": "16 s", "do": "stopTraffic", "traffic": "photos" },
        { "at": "14 s", "do": "project", "ahead": "1 s" }
      ],
      "expect": [
        { "at": "2 s", "isPlaybackBufferEmpty": true, "currentTime": "0.5 s", "status": "unknown" },
        { "at": "end", "loadedTimeRanges": { "not": [["0 s", "3.3 s"], ["3.5 s", "4 s"]] } },
        { "at": { "event": "stall", "number": 2, "by": "1 ms" }, "reasonForWaitingToPlay": null },
        { "at": { "after": "jump" }, "shownCurrentTime": "3.0s", "bufferAhead": "0 s" },
        { "at": { "event": "timeControlStatus status=playing" }, "timeControlStatus": "playing" },
        { "order": ["requestStart", "app do=seek to=3", "stall"] },
        { "count": "stall", "is": { "atMost": 3 } },
        { "rebufferRatio": { "about": "5 %", "within": "2.5 %" }, "requestCount": { "atLeast": 1 },
          "bytesTransferred": { "not": "0 B" }, "startupDelay": { "not": null }, "end": "finished",
          "projectionError": { "between": ["-1 ms", "0 s"] } }
      ]
    }
    """

  /// A recorded link, which stands in the place of a schedule.
  static let recorded = """
    {
      "scenario": "A recorded link", "about": "Each key of a recording.", "fidelity": "tcp",
      "link": {
        "trace": {
          "file": "traces/tunnel.csv", "format": "csv", "interval": "ends", "then": "repeat",
          "clock": "wall", "payload": "95 %"
        }
      },
      "media": { "progressive": { "duration": "4 s", "bitrate": "500 kbit/s" } },
      "requests": { "http": "2", "tls": "1.3", "congestionControl": "cubic" },
      "script": [ { "at": "0 s", "do": "play" } ],
      "expect": [ { "stallCount": 0 } ]
    }
    """

  /// A stream, with what else only streams have.
  static let stream = """
    {
      "scenario": "A stream", "about": "Each key of a stream.",
      "link": { "bandwidth": "3 Mbit/s", "delay": "20 ms" },
      "media": {
        "hls": {
          "ladder": [
            { "bitrate": "300 kbit/s", "resolution": "480x270", "codecs": ["avc1.42c00d"] },
            { "bitrate": "1.2 Mbit/s" }
          ],
          "duration": "31 s", "segmentDuration": "4 s", "sizes": { "peak": "150 %", "seed": 7 },
          "audio": [
            { "name": "Stereo", "language": "en", "bitrate": "96 kbit/s", "channels": 2 }
          ],
          "key": { "announced": true, "thinkTime": "200 ms" }, "order": { "first": 1 },
          "playlistBytes": "2 KB", "gzip": "30 %"
        }
      },
      "player": {
        "linkedSDK": "iOS 17", "startsOnFirstEligibleVariant": true,
        "preferredPeakBitRate": "2 Mbit/s", "preferredMaximumResolution": "1280x720",
        "layer": { "size": "375x667", "scale": 2 }, "observedBitrate": "1 Mbit/s",
        "adaptation": "throughput", "preloadsKeys": true
      },
      "script": [
        { "at": "0 s", "do": "play" },
        { "at": "5 s", "do": "setPreferredPeakBitRate", "to": "500 kbit/s" },
        { "at": "6 s", "do": "setLayer", "to": { "size": "100x100" } },
        { "at": "7 s", "do": "setLayer", "to": null, "name": "unlayer" }
      ],
      "expect": [
        { "at": "0 s", "variant": null, "indicatedBitrate": null, "observedBitrate": null },
        { "at": "end", "variant": { "atMost": 1 },
          "indicatedBitrate": { "between": ["1 bit/s", "1 Gbit/s"] } },
        { "order": ["variantChoice variant=0", "variantSwitch to=1"] },
        { "count": "segmentAbandon", "is": 0 },
        { "variantSwitchCount": { "atLeast": 1 } }
      ]
    }
    """

  /// A live stream, with what else only live streams have.
  static let live = """
    {
      "scenario": "A live stream", "about": "Each key of a live stream.", "horizon": "60 s",
      "link": { "bandwidth": "3 Mbit/s", "delay": "20 ms" },
      "media": {
        "hls": {
          "ladder": [ { "bitrate": "300 kbit/s" } ], "duration": "10 min", "segmentDuration": "4 s",
          "live": {
            "window": "32 s", "playlistType": "sliding", "startsWith": "41 s",
            "encoderStops": [ { "from": "20 s", "for": "5 s" } ], "holdBack": "16 s",
            "start": { "offset": "-14 s", "precise": true },
            "parts": {
              "duration": "1 s", "holdBack": "3 s", "blockingReload": true, "preloadHints": false
            }
          }
        }
      },
      "player": {
        "automaticallyPreservesTimeOffsetFromLive": true, "configuredTimeOffsetFromLive": "5 s",
        "canUseNetworkResourcesForLiveStreamingWhilePaused": true
      },
      "script": [
        { "at": "0 s", "do": "play" },
        { "at": "5 s", "do": "setAutomaticallyPreservesTimeOffsetFromLive", "to": false },
        { "at": "6 s", "do": "setConfiguredTimeOffsetFromLive", "to": null },
        { "at": "7 s", "do": "setCanUseNetworkResourcesForLiveStreamingWhilePaused", "to": false },
        { "at": "8 s", "do": "seekToLive" }
      ],
      "expect": [
        { "at": "0 s", "timeOffsetFromLive": null, "recommendedTimeOffsetFromLive": null,
          "seekableTimeRanges": [] },
        { "at": "end", "timeOffsetFromLive": { "atLeast": "1 s" },
          "recommendedTimeOffsetFromLive": { "atLeast": "3 s" } },
        { "order": ["playlist changed=true", "livePosition reason=configuredOffset"] }
      ]
    }
    """

  static let all = [demo, everything, recorded, stream, live]
}
