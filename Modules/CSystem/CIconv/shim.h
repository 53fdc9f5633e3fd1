// iconv, as the C library has it.
#ifndef COURIER_CICONV_SHIM_H
#define COURIER_CICONV_SHIM_H

#include <errno.h>
#include <iconv.h>
#include <stdint.h>

// iconv_open reports trouble with (iconv_t)-1, which Swift cannot compare.
static inline iconv_t _Nullable ciconv_open(const char *_Nonnull to, const char *_Nonnull from) {
  iconv_t descriptor = iconv_open(to, from);
  return descriptor == (iconv_t)-1 ? 0 : descriptor;
}

// Converts all of the input, without state from earlier calls. Returns the bytes written, or -1 when the
// input is not valid in the source charset or the output is too small.
static inline long ciconv_convert(
    iconv_t _Nonnull descriptor, const uint8_t *_Nonnull input, size_t given,
    uint8_t *_Nonnull output, size_t room) {
  char *from = (char *)input, *to = (char *)output;
  size_t left = given, free = room;
  iconv(descriptor, 0, 0, 0, 0);
  if (iconv(descriptor, &from, &left, &to, &free) == (size_t)-1 || left != 0) return -1;
  if (iconv(descriptor, 0, 0, &to, &free) == (size_t)-1) return -1;
  return (long)(room - free);
}
#endif
