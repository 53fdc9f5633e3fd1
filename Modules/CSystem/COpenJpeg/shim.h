// OpenJPEG: JPEG 2000 images, and a stream over memory, for which its interface has callbacks only.
#ifndef COURIER_COPENJPEG_SHIM_H
#define COURIER_COPENJPEG_SHIM_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <openjpeg.h>

typedef struct {
  const uint8_t *bytes;
  size_t count;
  size_t position;
} copenjpeg_memory;

static inline OPJ_SIZE_T copenjpeg_read(void *buffer, OPJ_SIZE_T wanted, void *context) {
  copenjpeg_memory *memory = (copenjpeg_memory *)context;
  size_t rest = memory->count - memory->position;
  if (rest == 0) return (OPJ_SIZE_T)-1;
  if (wanted > rest) wanted = rest;
  memcpy(buffer, memory->bytes + memory->position, wanted);
  memory->position += wanted;
  return wanted;
}

static inline OPJ_OFF_T copenjpeg_skip(OPJ_OFF_T distance, void *context) {
  copenjpeg_memory *memory = (copenjpeg_memory *)context;
  if (distance < 0) return -1;
  size_t rest = memory->count - memory->position;
  if ((uint64_t)distance > rest) distance = (OPJ_OFF_T)rest;
  memory->position += (size_t)distance;
  return distance;
}

static inline OPJ_BOOL copenjpeg_seek(OPJ_OFF_T position, void *context) {
  copenjpeg_memory *memory = (copenjpeg_memory *)context;
  if (position < 0 || (uint64_t)position > memory->count) return OPJ_FALSE;
  memory->position = (size_t)position;
  return OPJ_TRUE;
}

// A stream over bytes that outlive it; it frees its own state.
static inline opj_stream_t *_Nullable copenjpeg_open(
    const uint8_t *_Nullable bytes, size_t count) {
  copenjpeg_memory *memory = (copenjpeg_memory *)malloc(sizeof *memory);
  if (memory == NULL) return NULL;
  memory->bytes = bytes;
  memory->count = count;
  memory->position = 0;
  opj_stream_t *stream = opj_stream_default_create(OPJ_TRUE);
  if (stream == NULL) {
    free(memory);
    return NULL;
  }
  opj_stream_set_user_data(stream, memory, free);
  opj_stream_set_user_data_length(stream, count);
  opj_stream_set_read_function(stream, copenjpeg_read);
  opj_stream_set_skip_function(stream, copenjpeg_skip);
  opj_stream_set_seek_function(stream, copenjpeg_seek);
  return stream;
}

// The number of resolutions of the first component's coding, 0 when it is not known.
static inline uint32_t copenjpeg_resolutions(opj_codec_t *_Nonnull codec) {
  opj_codestream_info_v2_t *info = opj_get_cstr_info(codec);
  if (info == NULL) return 0;
  uint32_t count = 0;
  if (info->m_default_tile_info.tccp_info != NULL)
    count = info->m_default_tile_info.tccp_info[0].numresolutions;
  opj_destroy_cstr_info(&info);
  return count;
}
#endif
