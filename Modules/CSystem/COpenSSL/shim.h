// libcrypto: message digests, authentication codes and block ciphers through EVP.
#ifndef COURIER_COPENSSL_SHIM_H
#define COURIER_COPENSSL_SHIM_H

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/sha.h>
#include <stddef.h>
#include <stdint.h>

static inline EVP_MD_CTX *_Nullable cssl_digest_new(void) { return EVP_MD_CTX_new(); }

static inline void cssl_digest_free(EVP_MD_CTX *_Nonnull context) { EVP_MD_CTX_free(context); }

// Returns 1, or 0 when the name is unknown or switched off (FIPS mode knows no MD5).
static inline int cssl_digest_start(EVP_MD_CTX *_Nonnull context, const char *_Nonnull name) {
  const EVP_MD *digest = EVP_get_digestbyname(name);
  return digest != NULL && EVP_DigestInit_ex(context, digest, NULL) == 1;
}

static inline int cssl_digest_update(
    EVP_MD_CTX *_Nonnull context, const void *_Nullable bytes, size_t count) {
  return EVP_DigestUpdate(context, bytes, count);
}

static inline int cssl_digest_copy(
    EVP_MD_CTX *_Nonnull target, const EVP_MD_CTX *_Nonnull source) {
  return EVP_MD_CTX_copy_ex(target, source);
}

// The buffer has room for EVP_MAX_MD_SIZE bytes.
static inline int cssl_digest_finish(
    EVP_MD_CTX *_Nonnull context, unsigned char *_Nonnull buffer, unsigned *_Nonnull count) {
  return EVP_DigestFinal_ex(context, buffer, count);
}

// Starts an HMAC with a digest by name. Returns 1, or 0 on failure.
static inline int cssl_hmac_start(
    EVP_MAC_CTX *_Nonnull context, const char *_Nonnull digest, const unsigned char *_Nonnull key,
    size_t count) {
  OSSL_PARAM parameters[2] = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)digest, 0),
      OSSL_PARAM_construct_end()};
  return EVP_MAC_init(context, key, count, parameters);
}

// Continues the five words of a SHA-1 by a block of 64 bytes. The EVP calls that replace this one allocate and copy a
// context each time, which takes eight times as long as the block.
static inline void cssl_sha1_block(uint32_t *_Nonnull words, const uint8_t *_Nonnull block) {
  SHA_CTX context = {0};
  context.h0 = words[0];
  context.h1 = words[1];
  context.h2 = words[2];
  context.h3 = words[3];
  context.h4 = words[4];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  SHA1_Transform(&context, block);
#pragma GCC diagnostic pop
  words[0] = context.h0;
  words[1] = context.h1;
  words[2] = context.h2;
  words[3] = context.h3;
  words[4] = context.h4;
}
#endif
