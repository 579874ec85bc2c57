#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

Descriptor.holdStandardStreams()
exit(Goldilocks.run(Array(commandArguments().dropFirst())).rawValue)
