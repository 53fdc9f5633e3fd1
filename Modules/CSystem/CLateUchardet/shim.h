// uchardet, which guesses the charset of bytes, opened when first needed and not linked: few archives have names to
// guess about, and the C++ library behind it costs every start of a program.
#ifndef COURIER_CLATEUCHARDET_SHIM_H
#define COURIER_CLATEUCHARDET_SHIM_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <uchardet/uchardet.h>

#define CLATE_UCHARDET_CALLS(call) \
  call(uchardet_new) call(uchardet_delete) call(uchardet_handle_data) call(uchardet_data_end) \
  call(uchardet_get_charset)

// The calls of an opened uchardet, with the types that its header gives them.
struct clate_uchardet {
#define CLATE_FIELD(name) __typeof__(&name) _Nullable name;
  CLATE_UCHARDET_CALLS(CLATE_FIELD)
#undef CLATE_FIELD
};

// Opens uchardet for the rest of the process. Returns false when it, or one of the calls, is not there.
static inline bool clate_uchardet_open(struct clate_uchardet *_Nonnull calls) {
  void *library = dlopen("libuchardet.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return false;
#define CLATE_FIND(name) \
  *(void **)&calls->name = dlsym(library, #name); \
  if (calls->name == NULL) return false;
  CLATE_UCHARDET_CALLS(CLATE_FIND)
#undef CLATE_FIND
  return true;
}

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
