import SimulatedPlayback
import Testing
import VirtualTime

/// What a pipeline is busy with, one piece of work after the other.
@Suite struct PipelineLiteralTests {
  private var pipeline = Pipeline()

  @Test mutating func `work is done in the order in which it comes up`() {
    #expect(pipeline.take(.build, lasting: .seconds(2), at: .seconds(1)) == .seconds(3))
    #expect(pipeline.take(.stillFrame, lasting: .seconds(1), at: .seconds(1)) == .seconds(4))
    #expect(pipeline.take(.preroll, lasting: .seconds(5), at: .seconds(1)) == .seconds(9))
    // What is filled belongs to an item: nothing else waits for it.
    #expect(pipeline.readyAt == .seconds(4))
    #expect(pipeline.take(.rebuild, lasting: .seconds(1), at: .seconds(10)) == .seconds(11))
    #expect((pipeline.buildCount, pipeline.prerollCount) == (2, 1))
  }

  @Test mutating func `an index is read through beside everything else`() {
    _ = pipeline.take(.build, lasting: .seconds(9), at: .zero)
    #expect(pipeline.parse(lasting: .seconds(1), at: .seconds(2)) == .seconds(3))
    #expect(pipeline.readyAt == .seconds(9) && pipeline.parseCount == 1)
  }

  @Test mutating func `what is dropped is not waited for`() {
    _ = pipeline.take(.build, lasting: .seconds(9), at: .zero)
    pipeline.drop(at: .seconds(2))
    #expect(pipeline.readyAt == .seconds(2))
    pipeline.drop(at: .seconds(5))
    #expect(pipeline.readyAt == .seconds(2))
  }
}
