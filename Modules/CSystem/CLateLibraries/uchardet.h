// uchardet, which guesses the charset of bytes: few archives have names to guess about, and it brings a C++ library.
#ifndef COURIER_CLATELIBRARIES_UCHARDET_H
#define COURIER_CLATELIBRARIES_UCHARDET_H

#include <uchardet/uchardet.h>

#include "late.h"

#define CLATE_UCHARDET_CALLS(call) \
  call(uchardet_new) call(uchardet_delete) call(uchardet_handle_data) call(uchardet_data_end) \
  call(uchardet_get_charset)

CLATE_LIBRARY(uchardet, "libuchardet.so.0", CLATE_UCHARDET_CALLS)

static inline uchardet_t _Nullable clate_uchardet_new(const struct clate_uchardet *_Nonnull calls) {
  return calls->uchardet_new();
}

static inline void clate_uchardet_delete(
    const struct clate_uchardet *_Nonnull calls, uchardet_t _Nonnull detector) {
  calls->uchardet_delete(detector);
}

// What the library takes bytes for, by iconv's name, as long as the detector lives; empty or NULL for no opinion.
static inline const char *_Nullable clate_uchardet_guess(
    const struct clate_uchardet *_Nonnull calls, uchardet_t _Nonnull detector,
    const char *_Nullable bytes, size_t count) {
  if (calls->uchardet_handle_data(detector, bytes, count) != 0) return NULL;
  calls->uchardet_data_end(detector);
  return calls->uchardet_get_charset(detector);
}
#endif
