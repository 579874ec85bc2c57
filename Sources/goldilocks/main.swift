import SystemLibrary

Descriptor.holdStandardStreams()
let arguments = (1..<max(1, Int(CommandLine.argc))).compactMap { place in
  CommandLine.unsafeArgv[place].map { SystemText.text($0) }
}
exit(Goldilocks.run(arguments).rawValue)
