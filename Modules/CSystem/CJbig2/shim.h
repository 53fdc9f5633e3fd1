// jbig2dec: bilevel images as PDF embeds them.
#ifndef COURIER_CJBIG2_SHIM_H
#define COURIER_CJBIG2_SHIM_H

#include <stddef.h>
#include <stdint.h>

#include <jbig2.h>

// Counts the errors that decoding cannot get over.
static inline void cjbig2_note(
    void *_Nullable count, const char *_Nullable message, Jbig2Severity severity,
    uint32_t segment) {
  (void)message;
  (void)segment;
  if (severity == JBIG2_SEVERITY_FATAL && count != NULL) ++*(int *)count;
}

// A context of the embedded form; `shared` are the globals, which outlive it.
static inline Jbig2Ctx *_Nullable cjbig2_open(
    Jbig2GlobalCtx *_Nullable shared, int *_Nonnull errors) {
  return jbig2_ctx_new(NULL, JBIG2_OPTIONS_EMBEDDED, shared, cjbig2_note, errors);
}
#endif
