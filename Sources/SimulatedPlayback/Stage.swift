public import LinkConditioner

/// What players play on: the link that they share, and the log that they write to.
public struct Stage {
  public var link: Link
  public var log: PlaybackLog

  public init(link: Link, log: PlaybackLog) {
    self.link = link
    self.log = log
  }
}
