import Testing

/// The rules of the house, read off the sources.
@Suite struct HouseRules {
  private let files = SourceTree.files

  @Test func `the sources are found`() {
    #expect(files.count > 20)
    #expect(files.contains { $0.path == "Package.swift" })
    #expect(files.contains { $0.module == "VirtualTime" })
  }

  @Test func `the top level holds the house and nothing else`() {
    expectNone(TopLevel.findings(in: SourceTree.topLevel))
  }

  @Test func `arrows point down`() {
    expectNone(files.flatMap(ImportTable.findings))
  }

  @Test func `tests use what other floors could use`() {
    expectNone(files.flatMap(TestableImports.findings))
  }

  @Test func `every floor of the plan is there`() {
    let modules = Set(files.compactMap(\.module))
    for module in ImportTable.allowed.keys.sorted() {
      #expect(modules.contains(module), "ImportTable names \(module), which has no sources")
    }
  }

  @Test func `nothing below the command asks the machine`() {
    expectNone(files.flatMap(BannedWords.findings))
  }

  @Test func `nobody walks over a set or a dictionary`() {
    expectNone(files.flatMap(HashWalks.findings))
  }

  @Test func `switches over enums are exhaustive`() {
    expectNone(files.flatMap(SwitchDefaults.findings))
  }

  @Test func `files are short`() {
    expectNone(Sizes.files(files))
  }

  @Test func `functions are short`() {
    expectNone(Sizes.functions(files))
  }

  @Test func `types can be held in the head`() {
    expectNone(TypeSizes.findings(in: files))
  }

  @Test func `lines are short`() {
    expectNone(files.flatMap(Sizes.widths))
  }

  /// A debug build of Swift 6.3 copies a large value from the frame of a coroutine that has ended.
  @Test func `nothing is read through a coroutine`() {
    let readers = files.filter { $0.isUnder(["Sources/"]) && $0.mentions("_read {") }
    #expect(readers.map { $0.path } == [])
  }

  @Test func `nothing is left for later in a comment`() {
    expectNone(files.flatMap(Leftovers.notes))
  }

  @Test func `nothing shipped names a folder of one machine`() {
    expectNone(files.flatMap(Leftovers.folders))
  }
}
