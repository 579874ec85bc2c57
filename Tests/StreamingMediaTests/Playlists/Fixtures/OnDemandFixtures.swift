extension PlaylistFixture {
  static let framesOnly = PlaylistFixture(
    "frames-only",
    """
    #EXTM3U
    #EXT-X-VERSION:4
    #EXT-X-TARGETDURATION:2
    #EXT-X-PLAYLIST-TYPE:VOD
    #EXT-X-I-FRAMES-ONLY
    #EXTINF:2.0,
    #EXT-X-BYTERANGE:7708@376
    video.ts
    #EXTINF:2.0,
    #EXT-X-BYTERANGE:6404@150024
    video.ts
    #EXT-X-ENDLIST

    """)

  static let vodBitRates = PlaylistFixture(
    "vod-bit-rates",
    """
    #EXTM3U
    #EXT-X-VERSION:6
    #EXT-X-TARGETDURATION:4
    #EXT-X-PLAYLIST-TYPE:VOD
    #EXT-X-MEDIA-SEQUENCE:1
    #EXT-X-BITRATE:800
    #EXTINF:4.0,
    1.m4s
    #EXTINF:4.0,
    2.m4s
    #EXT-X-BITRATE:1201
    #EXTINF:3.96,
    3.m4s
    #EXT-X-GAP
    #EXTINF:4.0,
    4.m4s
    #EXT-X-ENDLIST

    """)

  static let vodByteRanges = PlaylistFixture(
    "vod-byte-ranges",
    """
    #EXTM3U
    #EXT-X-VERSION:7
    #EXT-X-TARGETDURATION:6
    #EXT-X-PLAYLIST-TYPE:VOD
    #EXT-X-INDEPENDENT-SEGMENTS
    #EXT-X-MAP:URI="main.mp4",BYTERANGE="719@0"
    #EXTINF:6.006,
    #EXT-X-BYTERANGE:1508000@719
    main.mp4
    #EXTINF:6.006,
    #EXT-X-BYTERANGE:1510244
    main.mp4
    #EXTINF:2.5,
    #EXT-X-BYTERANGE:620001
    main.mp4
    #EXT-X-ENDLIST

    """)

  static let vodTenSeconds = PlaylistFixture(
    "vod-ten-seconds",
    """
    #EXTM3U
    #EXT-X-PLAYLIST-TYPE:VOD
    #EXT-X-ALLOW-CACHE:YES
    #EXT-X-TARGETDURATION:10
    #EXTINF:10,
    first.ts
    #EXTINF:9.009,A title, with a comma
    second.ts
    #EXTINF:3.0000000004
    third.ts
    #EXT-X-ENDLIST

    """)
}
