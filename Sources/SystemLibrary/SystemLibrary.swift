// The C library of the machine, by one name: the command alone asks the machine.

#if canImport(Glibc)
  @_exported public import Glibc
#else
  @_exported public import Darwin
#endif
