import SystemLibrary

Descriptor.holdStandardStreams()
exit(Goldilocks.run(Array(commandArguments().dropFirst())).rawValue)
