import SimulatedPlayback
import Testing
import VirtualTime

/// The values of books and logs in which nothing was written.
@Suite struct BlankBooksTests {
  @Test func `what loading costs is counted from zero`() {
    let figures = MediaFigures()
    #expect(figures.bytes == 0 && figures.requests == 0 && figures.variantSwitches == 0)
    #expect(figures.bytesAbandoned == 0 && figures.bytesDiscarded == 0)
    #expect(figures.playlistBytesSaved == 0)
  }

  @Test func `a log is kept with its URIs`() {
    let log = PlaybackLog()
    #expect(log.isEnabled && log.keepsURIs && log.records.isEmpty)
  }

  @Test func `a player hears and obeys at once unless it is told to wait`() {
    #expect(AppLatency.none.notification == .zero && AppLatency.none.command == .zero)
    let settings = PlayerSettings()
    #expect(!settings.hasQueue && settings.evaluationPeriod == .zero)
    #expect(settings.contract == .current && settings.defaultRate == .normal)
    #expect(settings.waitsAutomatically == nil && settings.actionAtItemEnd == nil)
  }
}
