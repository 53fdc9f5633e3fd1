// ISA-L: inflate and CRC-32.
#ifndef COURIER_CISAL_SHIM_H
#define COURIER_CISAL_SHIM_H

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// The inflate state is a struct of very long arrays, which Swift would import as tuples with as many
// members; it stays behind this name.
typedef struct cisal_inflate cisal_inflate;

static inline cisal_inflate *_Nullable cisal_inflate_new(void) {
  return (cisal_inflate *)malloc(sizeof(struct inflate_state));
}

static inline void cisal_inflate_free(cisal_inflate *_Nonnull state) { free(state); }

static inline size_t cisal_inflate_size(void) { return sizeof(struct inflate_state); }

static inline void cisal_inflate_reset(cisal_inflate *_Nonnull state) {
  isal_inflate_init((struct inflate_state *)state);
}

// One call over some input. `consumed` and `produced` are set whatever comes back, and never more than
// there was; `finished` is 1 once the last block is out. Whole bytes that the library read ahead are
// given back when the stream or the room has ended, so that no byte behind the stream counts as used.
static inline int cisal_inflate_step(
    cisal_inflate *_Nonnull handle, const uint8_t *_Nullable input, uint32_t given,
    uint8_t *_Nullable output, uint32_t room, int whole, uint32_t *_Nonnull consumed,
    uint32_t *_Nonnull produced, int *_Nonnull finished) {
  struct inflate_state *state = (struct inflate_state *)handle;
  state->next_in = (uint8_t *)input;
  state->avail_in = given;
  state->next_out = output;
  state->avail_out = room;
  int status = whole ? isal_inflate_stateless(state) : isal_inflate(state);
  *finished = state->block_state == ISAL_BLOCK_FINISH;
  // Of damaged data the library counts bytes that were not there, and some that it did not write.
  if (state->avail_in > given) state->avail_in = 0;
  if (state->avail_out > room) state->avail_out = 0;
  *consumed = given - state->avail_in;
  *produced = room - state->avail_out;
  // What it has of a block's header that is not all there lies elsewhere, behind those, and is not given back.
  int holds_header = state->block_state == ISAL_BLOCK_HDR;
  if ((*finished || state->avail_out == 0) && !holds_header && state->read_in_length >= 8) {
    uint32_t ahead = (uint32_t)state->read_in_length / 8;
    if (ahead > *consumed) ahead = *consumed;
    *consumed -= ahead;
    state->read_in_length -= 8 * (int32_t)ahead;
    state->read_in &= ((uint64_t)1 << state->read_in_length) - 1;
  }
  return status;
}

static inline uint32_t cisal_crc32(uint32_t crc, const void *_Nonnull bytes, size_t count) {
  return crc32_gzip_refl(crc, (const unsigned char *)bytes, count);
}

// The same polynomial with the highest bit of each byte first.
static inline uint32_t cisal_crc32_high_first(uint32_t crc, const void *_Nonnull bytes, size_t count) {
  return crc32_ieee(crc, (const unsigned char *)bytes, count);
}
#endif
