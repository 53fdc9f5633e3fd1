// libzstd: streaming decompression.
#ifndef COURIER_CZSTD_SHIM_H
#define COURIER_CZSTD_SHIM_H

#include <stdint.h>
#include <zstd.h>
#include <zstd_errors.h>

// Whether an error says that the frame's window is larger than ZSTD_d_windowLogMax allows.
static inline int czstd_is_window_too_large(size_t code) {
  return ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge;
}

static inline int32_t czstd_error_code(size_t code) { return (int32_t)ZSTD_getErrorCode(code); }
#endif
