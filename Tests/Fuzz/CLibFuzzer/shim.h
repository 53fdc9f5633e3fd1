// What libFuzzer gives to custom mutators; linked by `--sanitize fuzzer`.
#pragma once
#include <stddef.h>
#include <stdint.h>

size_t LLVMFuzzerMutate(uint8_t *_Nonnull data, size_t size, size_t max_size);
