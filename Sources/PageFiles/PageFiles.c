#include "PageFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char style[] = {
#embed "page.css"
};

static const unsigned char script[] = {
#embed "page.js" suffix(,)
#embed "controls.js"
};

static const unsigned char comparison[] = {
#embed "comparison.js"
};

static const unsigned char worker[] = {
#embed "worker.js"
};

// No module is committed: CI puts one here before it builds the command.
static const unsigned char engine[] = {
#if __has_embed("engine.wasm.gz")
#embed "engine.wasm.gz"
#else
  0
#endif
};

struct page_file page_file_style(void) {
  return (struct page_file){style, sizeof style};
}

struct page_file page_file_script(void) {
  return (struct page_file){script, sizeof script};
}

struct page_file page_file_comparison(void) {
  return (struct page_file){comparison, sizeof comparison};
}

struct page_file page_file_worker(void) {
  return (struct page_file){worker, sizeof worker};
}

struct page_file page_file_engine(void) {
  return (struct page_file){engine, sizeof engine > 1 ? sizeof engine : 0};
}
