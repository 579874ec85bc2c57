public import VirtualTime

/// Width and height of a picture in pixels.
public struct PixelSize: Hashable, Sendable {
  public var width: Int32
  public var height: Int32

  public init(width: Int32, height: Int32) {
    self.width = width
    self.height = height
  }

  package var area: Int64 { Int64(width) * Int64(height) }

  /// Reads a decimal-resolution such as `1280x720`.
  init?(_ text: ArraySlice<UInt8>) {
    guard let cross = text.firstIndex(of: UInt8(ascii: "x")),
      let width = Self.side(text[..<cross]), let height = Self.side(text[cross...].dropFirst())
    else { return nil }
    self.init(width: width, height: height)
  }

  private static func side(_ text: ArraySlice<UInt8>) -> Int32? {
    (try? decimalInteger(text)).flatMap { Int32(exactly: $0) }
  }
}

package struct ByteRange: Hashable, Sendable {
  package var offset: Int64
  package var length: Int64

  package init(offset: Int64, length: Int64) {
    self.offset = offset
    self.length = length
  }

  package var end: Int64 { offset + length }
}

/// A byte range as it is written, `n` or `n@o`.
struct ByteRangeText {
  var length: Int64
  var offset: Int64?

  init(_ text: ArraySlice<UInt8>) throws(DecimalFault) {
    let at = text.firstIndex(of: UInt8(ascii: "@")) ?? text.endIndex
    length = try decimalInteger(text[..<at])
    if at == text.endIndex { return }
    let offset = try decimalInteger(text[at...].dropFirst())
    if length.addingReportingOverflow(offset).overflow { throw .outOfRange }
    self.offset = offset
  }
}

/// The dynamic range of a picture, from VIDEO-RANGE.
public enum VideoRange: String, Hashable, Sendable, CaseIterable {
  case standard = "SDR"
  case hybridLogGamma = "HLG"
  case perceptualQuantiser = "PQ"
}

/// The output protection that a variant asks for, from HDCP-LEVEL.
package enum CopyProtection: String, Hashable, Sendable {
  case none = "NONE"
  case type0 = "TYPE-0"
  case type1 = "TYPE-1"
}

/// Preferred start of playback, from EXT-X-START.
public struct StartPoint: Hashable, Sendable {
  /// From the start of the playlist, or from its end where it is negative.
  public var offset: MediaTime
  public var isPrecise: Bool

  public init(offset: MediaTime, isPrecise: Bool = false) {
    self.offset = offset
    self.isPrecise = isPrecise
  }
}

/// A name that stands for a text, from EXT-X-DEFINE.
package struct PlaylistVariable: Hashable, Sendable {
  package var name: String
  package var value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// Encryption of segments, from METHOD.
public enum EncryptionMethod: String, Hashable, Sendable {
  case none = "NONE"
  case aes128 = "AES-128"
  case sampleAES = "SAMPLE-AES"
  case sampleAESCounter = "SAMPLE-AES-CTR"
}

/// A key that decrypts segments, from EXT-X-KEY or EXT-X-SESSION-KEY.
public struct EncryptionKey: Hashable, Sendable {
  public var method: EncryptionMethod
  public var uri: String
  public var initializationVector: String?
  /// Format of the key, from KEYFORMAT; `identity` is the key itself at the URI.
  public var format: String
  public var formatVersions: String?

  public init(
    method: EncryptionMethod, uri: String, initializationVector: String? = nil,
    format: String = "identity", formatVersions: String? = nil
  ) {
    self.method = method
    self.uri = uri
    self.initializationVector = initializationVector
    self.format = format
    self.formatVersions = formatVersions
  }
}
