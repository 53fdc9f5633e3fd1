// zlib: raw inflate and CRC-32.
#ifndef COURIER_CZLIB_SHIM_H
#define COURIER_CZLIB_SHIM_H

#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

// inflateInit2 is a macro that passes the header's version along; Swift sees no macros with arguments.
static inline int cz_inflate_init_raw(z_stream *_Nonnull stream) {
  return inflateInit2(stream, -MAX_WBITS);
}

// The same for a stream in gzip or zlib wrapping, told apart by its first bytes.
static inline int cz_inflate_init_wrapped(z_stream *_Nonnull stream) {
  return inflateInit2(stream, 32 + MAX_WBITS);
}

// zlib's wrapping, with a window of 2 to that power of bytes.
static inline int cz_deflate_init(z_stream *_Nonnull stream, int level, int window_bits) {
  return deflateInit2(stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}

// crc32_z takes a size_t where crc32 takes a 32-bit count.
static inline uint32_t cz_crc32(uint32_t crc, const void *_Nullable bytes, size_t count) {
  return (uint32_t)crc32_z(crc, (const Bytef *)bytes, count);
}
#endif
