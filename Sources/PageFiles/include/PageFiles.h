#ifndef PAGE_FILES_H
#define PAGE_FILES_H

// The files of a page that are not written in Swift, as the build found them.

#include <stddef.h>

/// Bytes that last as long as the process.
struct page_file {
  const unsigned char *bytes;
  size_t count;
};

/// The style sheet.
struct page_file page_file_style(void);
/// The script for cursor, keys and zoom.
struct page_file page_file_script(void);
/// The script of a comparison, which stands behind the other.
struct page_file page_file_comparison(void);
/// The script of the worker in which the engine runs.
struct page_file page_file_worker(void);
/// The engine, gzipped; empty where the build had none.
struct page_file page_file_engine(void);

#endif
