public import Foundation

/// Where the checkout lies that these tests were built from.
public enum Checkout {
  /// The folder that holds `Package.swift`.
  public static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A file or folder by its path from the root.
  public static func at(_ path: String) -> URL {
    root.appending(path: path)
  }
}
