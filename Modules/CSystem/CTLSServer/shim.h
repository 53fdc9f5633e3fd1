// libssl as a server, and certificates made to order: for the servers that tests run.
#ifndef COURIER_CTLSSERVER_SHIM_H
#define COURIER_CTLSSERVER_SHIM_H

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <string.h>

static inline EVP_PKEY *_Nullable ctls_new_key(void) { return EVP_EC_gen("P-256"); }

static inline int ctls_add_extension(
    X509 *_Nonnull certificate, X509 *_Nonnull issuer, int kind, const char *_Nonnull value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
  int added = extension != NULL && X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return added;
}

// Makes a certificate for a key. Times are seconds from now; `names` is in the form of OpenSSL's
// subjectAltName, NULL for an authority. Without an issuer it is signed by its own key.
static inline X509 *_Nullable ctls_make_certificate(
    EVP_PKEY *_Nonnull key, long serial, const char *_Nonnull subject, const char *_Nullable names,
    long not_before, long not_after, X509 *_Nullable issuer, EVP_PKEY *_Nullable issuer_key) {
  X509 *certificate = X509_new();
  if (certificate == NULL) return NULL;
  X509 *signer = issuer != NULL ? issuer : certificate;
  X509_NAME *name = X509_get_subject_name(certificate);
  int done = X509_set_version(certificate, 2) == 1
      && ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial) == 1
      && X509_gmtime_adj(X509_getm_notBefore(certificate), not_before) != NULL
      && X509_gmtime_adj(X509_getm_notAfter(certificate), not_after) != NULL
      && X509_NAME_add_entry_by_txt(
             name, "CN", MBSTRING_UTF8, (const unsigned char *)subject, -1, -1, 0) == 1
      && X509_set_issuer_name(certificate, X509_get_subject_name(signer)) == 1
      && X509_set_pubkey(certificate, key) == 1
      && ctls_add_extension(certificate, signer, NID_subject_key_identifier, "hash")
      && (names == NULL
              ? ctls_add_extension(certificate, signer, NID_basic_constraints, "critical,CA:TRUE")
              : ctls_add_extension(certificate, signer, NID_subject_alt_name, names))
      && X509_sign(certificate, issuer_key != NULL ? issuer_key : key, EVP_sha256()) > 0;
  if (done) return certificate;
  X509_free(certificate);
  return NULL;
}

// The certificate as PEM in memory; the caller frees the BIO.
static inline BIO *_Nullable ctls_write_key(EVP_PKEY *_Nonnull key) {
  BIO *memory = BIO_new(BIO_s_mem());
  if (memory != NULL && PEM_write_bio_PrivateKey(memory, key, NULL, NULL, 0, NULL, NULL) != 1) {
    BIO_free(memory);
    return NULL;
  }
  return memory;
}

static inline BIO *_Nullable ctls_write_certificate(X509 *_Nonnull certificate) {
  BIO *memory = BIO_new(BIO_s_mem());
  if (memory != NULL && PEM_write_bio_X509(memory, certificate) != 1) {
    BIO_free(memory);
    return NULL;
  }
  return memory;
}

static inline long ctls_bytes(BIO *_Nonnull memory, char *_Nullable *_Nonnull bytes) {
  return BIO_get_mem_data(memory, bytes);
}

static inline int ctls_choose_http2(
    SSL *_Nonnull connection, const unsigned char *_Nullable *_Nonnull chosen,
    unsigned char *_Nonnull count, const unsigned char *_Nonnull offered, unsigned offered_count,
    void *_Nullable context) {
  (void)connection;
  (void)context;
  for (unsigned at = 0; at < offered_count; at += 1 + offered[at]) {
    if (offered[at] == 2 && at + 2 < offered_count && memcmp(offered + at + 1, "h2", 2) == 0) {
      *chosen = offered + at + 1;
      *count = 2;
      return SSL_TLSEXT_ERR_OK;
    }
  }
  return SSL_TLSEXT_ERR_NOACK;
}

static inline int ctls_accept_any(int verified, X509_STORE_CTX *_Nonnull store) {
  (void)verified;
  (void)store;
  return 1;
}

// A server's settings. `demands_certificate`: clients without one are refused; `old`: TLS 1.1 at most;
// `http2`: spoken where the client offers it.
static inline SSL_CTX *_Nullable ctls_new_context(
    X509 *_Nonnull certificate, EVP_PKEY *_Nonnull key, int demands_certificate, int old,
    int http2) {
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  if (context == NULL) return NULL;
  if (old) {
    SSL_CTX_set_security_level(context, 0);
    SSL_CTX_set_min_proto_version(context, TLS1_VERSION);
    SSL_CTX_set_max_proto_version(context, TLS1_1_VERSION);
  }
  if (demands_certificate) {
    SSL_CTX_set_verify(
        context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, ctls_accept_any);
  }
  if (http2) SSL_CTX_set_alpn_select_cb(context, ctls_choose_http2, NULL);
  if (SSL_CTX_use_certificate(context, certificate) == 1
      && SSL_CTX_use_PrivateKey(context, key) == 1)
    return context;
  SSL_CTX_free(context);
  return NULL;
}

// The SHA-256 of the public key as clients pin it. `digest` has room for 32 bytes.
static inline int ctls_public_key_digest(
    X509 *_Nonnull certificate, unsigned char *_Nonnull digest) {
  unsigned char *bytes = NULL;
  int count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &bytes);
  if (count <= 0) return 0;
  unsigned length = 0;
  int done = EVP_Digest(bytes, (size_t)count, digest, &length, EVP_sha256(), NULL);
  OPENSSL_free(bytes);
  return done == 1 && length == 32;
}
#endif
