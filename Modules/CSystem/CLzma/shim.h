// liblzma: raw LZMA1 and XZ streams.
#ifndef COURIER_CLZMA_SHIM_H
#define COURIER_CLZMA_SHIM_H

#include <lzma.h>
#include <stdint.h>

// Sets up a decoder of a raw LZMA1 stream that ends at an end mark or, with `ends_at_size`, after `size`
// bytes (LZMA_FILTER_LZMA1EXT, liblzma 5.4). Both at once (LZMA_LZMA1EXT_ALLOW_EOPM) is not used: 5.4.1
// then calls a stream damaged whose last bytes come one by one.
static inline lzma_ret clzma_raw_decoder(
    lzma_stream *_Nonnull stream, uint32_t dictionary, uint32_t lc, uint32_t lp, uint32_t pb,
    int ends_at_size, uint64_t size) {
  lzma_options_lzma options = {.dict_size = dictionary, .lc = lc, .lp = lp, .pb = pb};
  lzma_filter filters[2] = {
      {.id = LZMA_FILTER_LZMA1, .options = &options}, {.id = LZMA_VLI_UNKNOWN}};
  if (ends_at_size) {
    filters[0].id = LZMA_FILTER_LZMA1EXT;
    lzma_set_ext_size(options, size);
  }
  return lzma_raw_decoder(stream, filters);
}

// Bytes a raw LZMA1 decoder takes, or UINT64_MAX when the options are not possible.
static inline uint64_t clzma_raw_decoder_memory(
    uint32_t dictionary, uint32_t lc, uint32_t lp, uint32_t pb) {
  lzma_options_lzma options = {.dict_size = dictionary, .lc = lc, .lp = lp, .pb = pb};
  lzma_filter filters[2] = {
      {.id = LZMA_FILTER_LZMA1, .options = &options}, {.id = LZMA_VLI_UNKNOWN}};
  return lzma_raw_decoder_memusage(filters);
}
#endif
