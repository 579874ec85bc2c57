#ifndef BROWSER_RUNTIME_H
#define BROWSER_RUNTIME_H

// What the engine needs from an operating system when it runs in a web page, where there is none.
// The names are those the Swift runtime and the compiler call; nobody else includes this.
// On every other platform the C library has all of it, and this module is empty.

#if defined(__wasm__)
#include <stddef.h>
#include <stdint.h>

int posix_memalign(void **result, size_t alignment, size_t size);
void *malloc(size_t size);
void free(void *pointer);

void *memmove(void *target, const void *source, size_t count);
void *memcpy(void *target, const void *source, size_t count);
void *memset(void *target, int byte, size_t count);
int memcmp(const void *a, const void *b, size_t count);

void arc4random_buf(void *buffer, size_t count);
int putchar(int character);
#endif

#endif
