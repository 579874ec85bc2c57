public import PlayerPolicies

/// The reason for which a stream goes on with another variant.
public enum SwitchReason: Hashable, Sendable {
  /// The rule for the next variant decided.
  case chosen(VariantClause)
  /// The segment under way was given up.
  case abandoned(AbandonClause)
  /// Something was amiss with the variant, or is no longer.
  case trouble(VariantTrouble)
}

/// The reason to leave a variant, or to come back to it, whatever the player's rule says.
public enum VariantTrouble: String, Hashable, Sendable, CaseIterable {
  /// Something that the variant needs did not come.
  case requestFailed
  /// The playlist says that a segment is missing.
  case gap
  /// The playlist is not renewed.
  case stalePlaylist
  /// A variant has been left alone for long enough to be tried again.
  case recovered
}
