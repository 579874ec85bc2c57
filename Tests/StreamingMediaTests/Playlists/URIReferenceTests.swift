import StreamingMedia
import Testing

@Suite struct URIReferenceTests {
  /// RFC 3986 §5.4: references and what they are as seen from `http://a/b/c/d;p?q`.
  static let examples = [
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"),
    ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
    ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
    ("../../g", "http://a/g"),
    // §5.4.2, abnormal examples.
    ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
    ("http:g", "http:g"), ("http:../g", "http:g"), ("http:./g", "http:g"),
  ]

  @Test(arguments: [
    ("a%41", "aA"), ("%41%42c", "ABc"), ("a%4", "a%4"), ("%", "%"), ("%4g%g4", "%4g%g4"),
    ("%e2%82%AC", "€"),
  ])
  func `a percent sign and two digits are the byte that they mean`(text: String, meant: String) {
    #expect(percentDecoded(Array(text.utf8)[...]) == meant)
  }

  @Test(arguments: examples)
  func `a reference resolves as the RFC's examples do`(reference: String, target: String) {
    #expect(resolvedURI(reference, against: "http://a/b/c/d;p?q") == target)
  }

  @Test(arguments: [
    ("video/1.m3u8", "main.m3u8", "video/1.m3u8"), ("../a.ts", "video/1.m3u8", "a.ts"),
    ("../../a.ts", "video/1.m3u8", "../a.ts"), ("../../a.ts", "../x/1.m3u8", "../../a.ts"),
    ("./b/../a.ts?x#y", "video/1.m3u8", "video/a.ts?x#y"), ("..", "a/b/c.m3u8", "a/"),
    ("a.ts", "http://example.com", "http://example.com/a.ts"),
    ("data:text/plain;base64,q7on==", "http://a/b", "data:text/plain;base64,q7on=="),
    ("/x", "file:///films/main.m3u8", "file:///x"),
    ("x//y", "video/1.m3u8", "video/x//y"), ("x/", "video/1.m3u8", "video/x/"),
    (".//x", "video/1.m3u8", "video//x"), ("x/..//y", "video/1.m3u8", "video//y"),
    // §5.2.4, step D: nothing but dots behind a scheme.
    ("x:.", "http://a/b", "x:"), ("x:..", "http://a/b", "x:"), ("x:../.", "http://a/b", "x:"),
  ])
  func `other bases resolve as well`(reference: String, base: String, target: String) {
    #expect(resolvedURI(reference, against: base) == target)
  }

  @Test(arguments: [
    ("video-0/playlist.m3u8", "audio-0/playlist.m3u8", "../video-0/playlist.m3u8"),
    ("a/b/c.m3u8", "a/d.m3u8", "b/c.m3u8"), ("a/d.m3u8", "a/b/c.m3u8", "../d.m3u8"),
    ("http://a/b/c?x=1", "http://a/b/d#y", "c?x=1"), ("http://b/c", "http://a/c", "http://b/c"),
    ("http://a/x", "http://a/b/c/d", "../../x"), ("x/a:b/c", "x/d", "./a:b/c"), ("/a", "b", "/a"),
    ("../a", "../../b/c", "../a"), ("../../a", "../x/1.m3u8", "../../a"), ("a/", "a/b", "./"),
    // A place above that of the base.
    ("a/b", "a/b/c/d", "../../b"), ("a", "a/b/c", "../../a"),
  ])
  func `a reference leads from one place to the other`(
    target: String, base: String, reference: String
  ) {
    #expect(relativeURI(to: target, from: base) == reference)
    let seen = resolvedURI(reference, against: base)
    #expect(seen == target || reference == target)
  }

  @Test(arguments: examples.map(\.0))
  func `a reference is its components put together`(text: String) {
    #expect(URIReference(text).text == text)
  }

  @Test func `a path of many dots takes no more than its length`() {
    let deep = String(repeating: "a/", count: 20_000) + String(repeating: "../", count: 20_001)
    #expect(resolvedURI(deep + "g", against: "http://a/b/c") == "http://a/g")
  }
}
