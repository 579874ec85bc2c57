#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

exit(Goldilocks.run(Array(commandArguments().dropFirst())).rawValue)
