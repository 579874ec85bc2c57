#include "BrowserRuntime.h"

#if defined(__wasm__)

// The compiler would recognise these loops and replace each by a call of itself.
#define LITERALLY __attribute__((no_builtin))

LITERALLY void *memmove(void *target, const void *source, size_t count) {
  unsigned char *to = target;
  const unsigned char *from = source;
  if (to <= from || to >= from + count) {
    for (; count >= 8; count -= 8, to += 8, from += 8) {
      uint64_t word;
      __builtin_memcpy_inline(&word, from, 8);
      __builtin_memcpy_inline(to, &word, 8);
    }
    while (count-- > 0) *to++ = *from++;
  } else {
    while (count-- > 0) to[count] = from[count];
  }
  return target;
}

LITERALLY void *memcpy(void *target, const void *source, size_t count) {
  return memmove(target, source, count);
}

LITERALLY void *memset(void *target, int byte, size_t count) {
  unsigned char *to = target;
  while (count-- > 0) *to++ = (unsigned char)byte;
  return target;
}

LITERALLY int memcmp(const void *a, const void *b, size_t count) {
  const unsigned char *left = a;
  const unsigned char *right = b;
  for (; count > 0; count -= 1, left += 1, right += 1) {
    if (*left != *right) return *left < *right ? -1 : 1;
  }
  return 0;
}

/// Seeds the hasher: with a constant, because a run is the same on every machine.
void arc4random_buf(void *buffer, size_t count) { memset(buffer, 0x5e, count); }

/// Nothing in the engine prints; the standard library wants to be able to.
int putchar(int character) { return character; }

/// Guards against a smashed stack; WebAssembly's own stack is out of a program's reach.
uintptr_t __stack_chk_guard = 0x5eed;

void __stack_chk_fail(void) { __builtin_trap(); }

#endif
