extension PlaylistFixture {
  static let multivariantMuxed = PlaylistFixture(
    "multivariant-muxed",
    """
    #EXTM3U
    #EXT-X-STREAM-INF:PROGRAM-ID=1, BANDWIDTH=240500,CODECS="mp4a.40.2, avc1.4d400d"
    rung1/index.m3u8
    # A comment, and an empty line.

    #EXT-X-STREAM-INF:PROGRAM-ID=1,BANDWIDTH=655000,RESOLUTION=640x360
    http://media.example.com/rung2/index.m3u8?token=a,b
    #EXT-X-STREAM-INF:BANDWIDTH=48200,CODECS="mp4a.40.2"
    rung0/index.m3u8

    """)

  static let multivariantSeparateAudio = PlaylistFixture(
    "multivariant-separate-audio",
    """
    #EXTM3U
    #EXT-X-VERSION:7
    #EXT-X-INDEPENDENT-SEGMENTS
    #EXT-X-START:TIME-OFFSET=-18.5,PRECISE=YES
    #EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="skd://film",\
    KEYFORMAT="com.apple.streamingkeydelivery",KEYFORMATVERSIONS="1"
    #EXT-X-SESSION-DATA:DATA-ID="org.example.title",VALUE="Ein Hügel, ein Läufer",LANGUAGE="de"
    #EXT-X-CONTENT-STEERING:SERVER-URI="/steering?film=17",PATHWAY-ID="CDN-A"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="stereo",NAME="English",LANGUAGE="en",DEFAULT=YES,\
    AUTOSELECT=YES,CHANNELS="2",SAMPLE-RATE=48000,URI="audio/en-stereo.m3u8"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="stereo",NAME="Français",LANGUAGE="fr",AUTOSELECT=YES,\
    CHANNELS="2",SAMPLE-RATE=48000,URI="audio/fr-stereo.m3u8"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="surround",NAME="English",LANGUAGE="en",DEFAULT=YES,\
    AUTOSELECT=YES,CHANNELS="16/JOC",BIT-DEPTH=24,SAMPLE-RATE=48000,URI="audio/en-surround.m3u8"
    #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="Deutsch",LANGUAGE="de",\
    AUTOSELECT=YES,FORCED=NO,CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog,\
    public.easy-to-read",URI="text/de.m3u8"
    #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="captions",NAME="English",LANGUAGE="en",\
    INSTREAM-ID="CC1"

    #EXT-X-STREAM-INF:BANDWIDTH=2310000,AVERAGE-BANDWIDTH=2104500,SCORE=2.5,CODECS="avc1.64001f,\
    mp4a.40.2",RESOLUTION=960x540,FRAME-RATE=59.940,HDCP-LEVEL=NONE,VIDEO-RANGE=SDR,\
    AUDIO="stereo",SUBTITLES="subtitles",CLOSED-CAPTIONS="captions",PATHWAY-ID="CDN-A"
    video/540.m3u8
    #EXT-X-STREAM-INF:BANDWIDTH=8700125,AVERAGE-BANDWIDTH=7920000,SCORE=9,\
    CODECS="hvc1.2.4.L123.B0,ec-3",SUPPLEMENTAL-CODECS="dvh1.08.07/db4h",RESOLUTION=1920x1080,\
    FRAME-RATE=60,HDCP-LEVEL=TYPE-1,VIDEO-RANGE=PQ,AUDIO="surround",SUBTITLES="subtitles",\
    CLOSED-CAPTIONS=NONE,PATHWAY-ID="CDN-A"
    video/1080.m3u8
    #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=191000,AVERAGE-BANDWIDTH=180250,CODECS="avc1.640028",\
    RESOLUTION=1920x1080,URI="video/frames.m3u8"

    """)
}
