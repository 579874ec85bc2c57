#include "BrowserRuntime.h"

#if defined(__wasm__)

// 128-bit integers: what the compiler calls for an operation that has no instruction.
// Written in 64-bit halves, because a 128-bit operator in here would call itself.

typedef __int128 Signed;
typedef unsigned __int128 Unsigned;

static uint64_t low(Unsigned value) { return (uint64_t)value; }
static uint64_t high(Unsigned value) { return (uint64_t)(value >> 64); }
static Unsigned wide(uint64_t high, uint64_t low) { return (Unsigned)high << 64 | low; }

/// The full product of two words, by the four products of their halves.
static Unsigned product(uint64_t a, uint64_t b) {
  const uint64_t mask = UINT32_MAX;
  const uint64_t ll = (a & mask) * (b & mask);
  const uint64_t hl = (a >> 32) * (b & mask);
  const uint64_t lh = (a & mask) * (b >> 32);
  const uint64_t hh = (a >> 32) * (b >> 32);
  const uint64_t middle = (ll >> 32) + (hl & mask) + (lh & mask);
  return wide(hh + (hl >> 32) + (lh >> 32) + (middle >> 32), middle << 32 | (ll & mask));
}

Signed __multi3(Signed a, Signed b) {
  const Unsigned x = (Unsigned)a, y = (Unsigned)b;
  const Unsigned whole = product(low(x), low(y));
  const uint64_t cross = high(x) * low(y) + low(x) * high(y);
  return (Signed)wide(high(whole) + cross, low(whole));
}

/// One digit of a long division in base 2³²: Knuth's algorithm D with a normalised divisor.
static uint64_t digit(uint64_t *remainder, uint64_t next, uint64_t divisor) {
  const uint64_t base = (uint64_t)1 << 32;
  const uint64_t upper = divisor >> 32, lower = divisor & UINT32_MAX;
  uint64_t guess = *remainder / upper;
  uint64_t rest = *remainder - guess * upper;
  while (guess >= base || guess * lower > (rest << 32 | next)) {
    guess -= 1;
    rest += upper;
    if (rest >= base) break;
  }
  *remainder = (*remainder << 32 | next) - guess * divisor;
  return guess;
}

/// Divides two words by one; the upper word must be less than the divisor.
static uint64_t divideByWord(uint64_t upper, uint64_t lower, uint64_t divisor, uint64_t *rest) {
  const int shift = __builtin_clzll(divisor);
  const Unsigned dividend = wide(upper, lower) << shift;
  uint64_t remainder = high(dividend);
  const uint64_t first = digit(&remainder, low(dividend) >> 32, divisor << shift);
  const uint64_t second = digit(&remainder, low(dividend) & UINT32_MAX, divisor << shift);
  *rest = remainder >> shift;
  return first << 32 | second;
}

/// Divides by more than a word: the quotient is one word, found bit by bit.
static uint64_t divideByTwoWords(Unsigned dividend, Unsigned divisor, Unsigned *rest) {
  uint64_t quotient = 0;
  for (int shift = __builtin_clzll(high(divisor)); shift >= 0; shift -= 1) {
    quotient <<= 1;
    if (dividend >= divisor << shift) {
      dividend -= divisor << shift;
      quotient |= 1;
    }
  }
  *rest = dividend;
  return quotient;
}

static Unsigned divide(Unsigned dividend, Unsigned divisor, Unsigned *rest) {
  if (divisor == 0) __builtin_trap();
  if (high(divisor) != 0) return divideByTwoWords(dividend, divisor, rest);
  const uint64_t word = low(divisor);
  uint64_t remainder = high(dividend) % word;
  const uint64_t upper = high(dividend) / word;
  const uint64_t lower = remainder == 0 && low(dividend) < word
    ? (remainder = low(dividend), 0)
    : divideByWord(remainder, low(dividend), word, &remainder);
  *rest = remainder;
  return wide(upper, lower);
}

static Unsigned magnitude(Signed value) {
  return value < 0 ? 0 - (Unsigned)value : (Unsigned)value;
}

Unsigned __udivti3(Unsigned dividend, Unsigned divisor) {
  Unsigned rest;
  return divide(dividend, divisor, &rest);
}

Unsigned __umodti3(Unsigned dividend, Unsigned divisor) {
  Unsigned rest;
  divide(dividend, divisor, &rest);
  return rest;
}

Signed __divti3(Signed dividend, Signed divisor) {
  const Unsigned quotient = __udivti3(magnitude(dividend), magnitude(divisor));
  return (Signed)((dividend < 0) != (divisor < 0) ? 0 - quotient : quotient);
}

/// The remainder has the sign of the dividend.
Signed __modti3(Signed dividend, Signed divisor) {
  const Unsigned rest = __umodti3(magnitude(dividend), magnitude(divisor));
  return (Signed)(dividend < 0 ? 0 - rest : rest);
}

// Shifts by a variable count are calls too, and the functions above rely on them.

Unsigned __ashlti3(Unsigned value, int count) {
  const union { Unsigned whole; uint64_t half[2]; } from = {value};
  union { Unsigned whole; uint64_t half[2]; } to;
  count &= 127;
  to.half[0] = count >= 64 ? 0 : from.half[0] << count;
  to.half[1] = count >= 64 ? from.half[0] << (count - 64)
    : count == 0 ? from.half[1]
    : from.half[1] << count | from.half[0] >> (64 - count);
  return to.whole;
}

Unsigned __lshrti3(Unsigned value, int count) {
  const union { Unsigned whole; uint64_t half[2]; } from = {value};
  union { Unsigned whole; uint64_t half[2]; } to;
  count &= 127;
  to.half[1] = count >= 64 ? 0 : from.half[1] >> count;
  to.half[0] = count >= 64 ? from.half[1] >> (count - 64)
    : count == 0 ? from.half[0]
    : from.half[0] >> count | from.half[1] << (64 - count);
  return to.whole;
}

Signed __ashrti3(Signed value, int count) {
  const Unsigned shifted = __lshrti3((Unsigned)value, count);
  const Unsigned ones = value < 0 && (count & 127) != 0
    ? __ashlti3(~(Unsigned)0, 128 - (count & 127)) : 0;
  return (Signed)(shifted | ones);
}

#endif
