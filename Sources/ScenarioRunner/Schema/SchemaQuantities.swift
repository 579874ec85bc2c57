/// Quantities as the schema knows them: a pattern with the units there are.
extension Schema {
  static let quantities: [SchemaKey] = [
    SchemaKey(
      "time", quantity(.time).examples("1 s", "100 ms"), "A time from zero up, with its unit."),
    SchemaKey(
      "signedTime", quantity(.time, sign: "-?").examples("-1 ms"),
      "A time with its unit, which may be below zero."),
    SchemaKey("size", quantity(.size).examples("64 KB"), "A size with its unit."),
    SchemaKey("bitRate", quantity(.bitRate).examples("2 Mbit/s"), "A bit rate with its unit."),
    SchemaKey(
      "bandwidth",
      anyOf([reference("bitRate"), constant("unlimited")]),
      "A bit rate with its unit, or unlimited; zero is an outage."),
    SchemaKey("percentage", quantity(.percentage).examples("10 %"), "A percentage."),
    SchemaKey(
      "playbackRate",
      anyOf([
        Schema().with("type", .string("number")).with("minimum", .number("0"))
          .with("maximum", .number("32")).examples(.number("1"), .number("1.5")),
        pattern(#"^[0-9]+(\.[0-9]+)?$"#).examples("0.5"),
      ]),
      "How fast media runs against the clock: 0 to 32, with at most three decimals."),
  ]

  static var time: Schema { reference("time") }
  static var playbackRate: Schema { reference("playbackRate") }

  private static func quantity(_ system: UnitSystem, sign: String = "") -> Schema {
    pattern("^\(sign)[0-9]+(\\.[0-9]+)? *(\(choice(system.units.map { $0.name })))$")
  }

  /// A quantity as a part of a larger pattern.
  static func part(_ system: UnitSystem) -> String {
    "[0-9]+(\\.[0-9]+)? *(\(choice(system.units.map { $0.name })))"
  }

  /// One of several words, in a pattern.
  static func choice(_ words: [String]) -> String {
    var text = ""
    for (index, word) in words.enumerated() { text += (index == 0 ? "" : "|") + word }
    return text
  }
}
