#include "BrowserRuntime.h"

#if defined(__wasm__)

// The heap grows upward from the end of the static data. A block has a size that is a power of two
// and stands in a list of free blocks of its size when nobody uses it; blocks are never split or
// joined, so that allocating and freeing are a few instructions and do the same on every run.

enum { PAGE = 65536, SMALLEST = 5, SIZES = 32, NO_MEMORY = 12 };

/// Stands right before what the caller was given.
typedef struct {
  struct Block *block;
  uint32_t exponent;
  uint32_t unused[2];
} Header;

typedef struct Block {
  struct Block *next;
} Block;

extern unsigned char __heap_base;

static Block *freeBlocks[SIZES];
static uintptr_t top;

/// Takes fresh memory from the top of the heap; null when the host gives no more.
static Block *grow(uint32_t exponent) {
  if (top == 0) top = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
  const uint64_t end = (uint64_t)top + ((uint64_t)1 << exponent);
  const uint64_t held = (uint64_t)__builtin_wasm_memory_size(0) * PAGE;
  if (end > held) {
    const size_t pages = (size_t)((end - held + PAGE - 1) / PAGE);
    if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) return NULL;
  }
  Block *block = (Block *)top;
  top = (uintptr_t)end;
  return block;
}

static uint32_t exponentHolding(size_t size) {
  uint32_t exponent = SMALLEST;
  while (exponent < SIZES && ((uint64_t)1 << exponent) < size) exponent += 1;
  return exponent;
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  const size_t slack = alignment > 16 ? alignment - 16 : 0;
  if (size > SIZE_MAX - slack - sizeof(Header)) return NO_MEMORY;
  const uint32_t exponent = exponentHolding(size + slack + sizeof(Header));
  if (exponent >= SIZES) return NO_MEMORY;

  Block *block = freeBlocks[exponent];
  if (block != NULL) {
    freeBlocks[exponent] = block->next;
  } else {
    block = grow(exponent);
    if (block == NULL) return NO_MEMORY;
  }

  // Blocks begin at multiples of 16, which is all that most callers ask for.
  uintptr_t address = (uintptr_t)block + sizeof(Header);
  if (slack != 0) address = (address + alignment - 1) & ~(uintptr_t)(alignment - 1);
  Header *header = (Header *)address - 1;
  header->block = block;
  header->exponent = exponent;
  *result = (void *)address;
  return 0;
}

void *malloc(size_t size) {
  void *result = NULL;
  return posix_memalign(&result, 16, size) == 0 ? result : NULL;
}

void free(void *pointer) {
  if (pointer == NULL) return;
  const Header header = ((Header *)pointer)[-1];
  header.block->next = freeBlocks[header.exponent];
  freeBlocks[header.exponent] = header.block;
}

#endif
