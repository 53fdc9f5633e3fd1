// libcrypto: message digests through EVP.
#ifndef COURIER_COPENSSL_SHIM_H
#define COURIER_COPENSSL_SHIM_H

#include <openssl/evp.h>
#include <stddef.h>

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
#endif
