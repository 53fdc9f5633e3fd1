// libcrypto's AES, HMAC and SHA-1: the loader resolves four thousand symbols of libcrypto for itself, which costs more
// than all that most archives need of it.
#ifndef COURIER_CLATELIBRARIES_CRYPTO_H
#define COURIER_CLATELIBRARIES_CRYPTO_H

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/opensslv.h>
#include <openssl/params.h>
#include <openssl/sha.h>
#include <stdint.h>

#include "late.h"

#define CLATE_TEXT_OF(value) #value
#define CLATE_TEXT(value) CLATE_TEXT_OF(value)
// The library that the headers describe, and no other.
#define CLATE_CRYPTO_NAME "libcrypto.so." CLATE_TEXT(OPENSSL_SHLIB_VERSION)

#define CLATE_CRYPTO_CALLS(call) \
  call(EVP_CIPHER_CTX_new) call(EVP_CIPHER_CTX_free) call(EVP_CIPHER_CTX_set_padding) \
  call(EVP_aes_128_ecb) call(EVP_aes_192_ecb) call(EVP_aes_256_ecb) \
  call(EVP_EncryptInit_ex) call(EVP_EncryptUpdate) \
  call(EVP_MAC_fetch) call(EVP_MAC_free) call(EVP_MAC_CTX_new) call(EVP_MAC_CTX_free) \
  call(EVP_MAC_init) call(EVP_MAC_update) call(EVP_MAC_final) \
  call(EVP_Digest) call(EVP_sha1) call(SHA1_Transform)

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
CLATE_LIBRARY(crypto, CLATE_CRYPTO_NAME, CLATE_CRYPTO_CALLS)
#pragma GCC diagnostic pop

// Makes a context that encrypts single blocks with a key of 16, 24 or 32 bytes; NULL on failure.
static inline EVP_CIPHER_CTX *_Nullable clate_aes_new(
    const struct clate_crypto *_Nonnull calls, const uint8_t *_Nonnull key, size_t count) {
  const EVP_CIPHER *cipher = count == 16   ? calls->EVP_aes_128_ecb()
                             : count == 24 ? calls->EVP_aes_192_ecb()
                                           : calls->EVP_aes_256_ecb();
  EVP_CIPHER_CTX *context = calls->EVP_CIPHER_CTX_new();
  if (context == NULL) return NULL;
  if (calls->EVP_EncryptInit_ex(context, cipher, NULL, key, NULL) == 1 &&
      calls->EVP_CIPHER_CTX_set_padding(context, 0) == 1)
    return context;
  calls->EVP_CIPHER_CTX_free(context);
  return NULL;
}

static inline void clate_aes_free(
    const struct clate_crypto *_Nonnull calls, EVP_CIPHER_CTX *_Nonnull context) {
  calls->EVP_CIPHER_CTX_free(context);
}

// Encrypts whole blocks where they are.
static inline bool clate_aes_encrypt(
    const struct clate_crypto *_Nonnull calls, EVP_CIPHER_CTX *_Nonnull context,
    uint8_t *_Nonnull blocks, int count) {
  int written = 0;
  return calls->EVP_EncryptUpdate(context, blocks, &written, blocks, count) == 1 && written == count;
}

// Starts an HMAC-SHA1; NULL on failure.
static inline EVP_MAC_CTX *_Nullable clate_hmac_sha1_new(
    const struct clate_crypto *_Nonnull calls, const uint8_t *_Nonnull key, size_t count) {
  EVP_MAC *algorithm = calls->EVP_MAC_fetch(NULL, "HMAC", NULL);
  if (algorithm == NULL) return NULL;
  EVP_MAC_CTX *context = calls->EVP_MAC_CTX_new(algorithm);
  calls->EVP_MAC_free(algorithm);
  if (context == NULL) return NULL;
  // What OSSL_PARAM_construct_utf8_string and _end return.
  char digest[] = "SHA1";
  OSSL_PARAM parameters[2] = {
      {OSSL_MAC_PARAM_DIGEST, OSSL_PARAM_UTF8_STRING, digest, sizeof digest - 1,
       OSSL_PARAM_UNMODIFIED},
      {NULL, 0, NULL, 0, 0}};
  if (calls->EVP_MAC_init(context, key, count, parameters) == 1) return context;
  calls->EVP_MAC_CTX_free(context);
  return NULL;
}

static inline void clate_hmac_free(
    const struct clate_crypto *_Nonnull calls, EVP_MAC_CTX *_Nonnull context) {
  calls->EVP_MAC_CTX_free(context);
}

static inline bool clate_hmac_update(
    const struct clate_crypto *_Nonnull calls, EVP_MAC_CTX *_Nonnull context,
    const uint8_t *_Nonnull bytes, size_t count) {
  return calls->EVP_MAC_update(context, bytes, count) == 1;
}

// Ends with the 20 bytes of the code.
static inline bool clate_hmac_finish(
    const struct clate_crypto *_Nonnull calls, EVP_MAC_CTX *_Nonnull context,
    uint8_t *_Nonnull code) {
  size_t count = 0;
  return calls->EVP_MAC_final(context, code, &count, SHA_DIGEST_LENGTH) == 1 &&
         count == SHA_DIGEST_LENGTH;
}

// The 20 bytes of a SHA-1.
static inline bool clate_sha1(
    const struct clate_crypto *_Nonnull calls, const uint8_t *_Nonnull bytes, size_t count,
    uint8_t *_Nonnull code) {
  return calls->EVP_Digest(bytes, count, code, NULL, calls->EVP_sha1(), NULL) == 1;
}

// Continues the five words of a SHA-1 by a block of 64 bytes. The EVP calls that replace this one allocate and copy a
// context each time, which takes eight times as long as the block.
static inline void clate_sha1_block(
    const struct clate_crypto *_Nonnull calls, uint32_t *_Nonnull words,
    const uint8_t *_Nonnull block) {
  SHA_CTX context = {0};
  context.h0 = words[0];
  context.h1 = words[1];
  context.h2 = words[2];
  context.h3 = words[3];
  context.h4 = words[4];
  calls->SHA1_Transform(&context, block);
  words[0] = context.h0;
  words[1] = context.h1;
  words[2] = context.h2;
  words[3] = context.h3;
  words[4] = context.h4;
}
#endif
