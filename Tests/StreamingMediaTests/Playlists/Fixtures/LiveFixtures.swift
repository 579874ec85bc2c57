extension PlaylistFixture {
  static let encryptedRotating = PlaylistFixture(
    "encrypted-rotating",
    """
    #EXTM3U
    #EXT-X-VERSION:5
    #EXT-X-MEDIA-SEQUENCE:8120
    #EXT-X-DISCONTINUITY-SEQUENCE:3
    #EXT-X-TARGETDURATION:15
    #EXT-X-KEY:METHOD=AES-128,URI="https://keys.example.com/52",\
    IV=0x0000000000000000000002D4A10CB7F5
    #EXTINF:3.125,
    scene-52-a.ts
    #EXTINF:15.0,
    scene-52-b.ts
    #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://53",KEYFORMAT="com.apple.streamingkeydelivery",\
    KEYFORMATVERSIONS="1"
    #EXT-X-KEY:METHOD=SAMPLE-AES,URI="https://keys.example.com/53"
    #EXT-X-PROGRAM-DATE-TIME:2024-03-04T23:02:17.684Z
    #EXTINF:12.5,
    scene-53-a.ts
    #EXT-X-DISCONTINUITY
    #EXT-X-KEY:METHOD=NONE
    #EXTINF:5.2,
    advertisement.ts
    #EXT-X-KEY:METHOD=AES-256-GCM,URI="https://keys.example.com/54"
    #EXTINF:5.2,
    scene-54-a.ts

    """)

  static let eventWithVariables = PlaylistFixture(
    "event-with-variables",
    """
    #EXTM3U
    #EXT-X-VERSION:11
    #EXT-X-DEFINE:NAME="host",VALUE="https://edge-7.example.com"
    #EXT-X-DEFINE:IMPORT="token"
    #EXT-X-DEFINE:QUERYPARAM="session"
    #EXT-X-TARGETDURATION:6
    #EXT-X-PLAYLIST-TYPE:EVENT
    #EXT-X-MAP:URI="{$host}/init.mp4?{$token}"
    #EXT-X-KEY:METHOD=AES-128,URI="{$host}/key/{$session}"
    #EXTINF:6,
    {$host}/0.m4s?t={$token}&s={$session}
    #EXTINF:6,{not a variable}
    {$host}/1.m4s

    """)

  static let liveCarriageReturns = PlaylistFixture(
    "live-carriage-returns",
    """
    #EXTM3U
    #EXT-X-VERSION: 3
    #EXT-X-TARGETDURATION:8

    \u{20}\u{20}
    #EXTINF:7.5,
     /tv/one.ts 
    #EXTINF:8.008,
    //cdn.example.com/two.ts
    #EXT-X-MEDIA-SEQUENCE:7180

    """, lineEnd: "\r\n")

  static let liveDeltaUpdate = PlaylistFixture(
    "live-delta-update",
    """
    #EXTM3U
    #EXT-X-VERSION:9
    #EXT-X-TARGETDURATION:4
    #EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=24.0,CAN-SKIP-DATERANGES=YES
    #EXT-X-MEDIA-SEQUENCE:716
    #EXT-X-SKIP:SKIPPED-SEGMENTS=3,RECENTLY-REMOVED-DATERANGES="splice-0001\tpreroll"
    #EXTINF:4.004,
    719.mp4
    #EXT-X-CUE-OUT:DURATION=30
    #EXT-X-DATERANGE:ID="mid",CLASS="com.apple.hls.interstitial",CUE="ONCE",\
    START-DATE="2025-06-01T14:00:04.5+02:00",DURATION=30.03,X-ASSET-URI="ad.m3u8",\
    X-RESUME-OFFSET=0,SCTE35-OUT=0xFC002F
    #EXTINF:4.004,
    270.mp4

    """)

  static let liveLowLatency = PlaylistFixture(
    "live-low-latency",
    """
    #EXTM3U
    #EXT-X-TARGETDURATION:4
    #EXT-X-VERSION:9
    #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.5,CAN-SKIP-UNTIL=24.0
    #EXT-X-PART-INF:PART-TARGET=0.5
    #EXT-X-MEDIA-SEQUENCE:716
    #EXT-X-PROGRAM-DATE-TIME:2025-06-01T12:00:00.25Z
    #EXT-X-MAP:URI="init.mp4"
    #EXTINF:4.004,
    716.mp4
    #EXT-X-PART:DURATION=0.5,URI="717.0.mp4",INDEPENDENT=YES
    #EXT-X-PART:DURATION=0.5,URI="717.1.mp4"
    #EXTINF:4.004,
    717.mp4
    #EXT-X-PART:DURATION=0.5,URI="718.mp4",BYTERANGE="20000@0",INDEPENDENT=YES
    #EXT-X-PART:DURATION=0.5,URI="718.mp4",BYTERANGE="23000"
    #EXT-X-PRELOAD-HINT:TYPE=PART,URI="718.mp4",BYTERANGE-START=43000
    #EXT-X-RENDITION-REPORT:URI="../1M/live.m3u8",LAST-MSN=718,LAST-PART=1
    #EXT-X-RENDITION-REPORT:URI="../4M/live.m3u8",LAST-MSN=718

    """)
}
