// libcurl's variadic calls, one typed function for each kind of argument that we pass.
#ifndef COURIER_CLIBCURL_SHIM_H
#define COURIER_CLIBCURL_SHIM_H

#include <curl/curl.h>
#include <openssl/ssl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef size_t (*ccurl_data_function)(
    char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);

static inline CURLcode ccurl_set_long(CURL *_Nonnull easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_string(
    CURL *_Nonnull easy, CURLoption option, const char *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_list(
    CURL *_Nonnull easy, CURLoption option, struct curl_slist *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_pointer(
    CURL *_Nonnull easy, CURLoption option, void *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_data_function(
    CURL *_Nonnull easy, CURLoption option, ccurl_data_function _Nonnull function) {
  return curl_easy_setopt(easy, option, function);
}
static inline CURLcode ccurl_set_error_buffer(CURL *_Nonnull easy, char *_Nullable buffer) {
  return curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, buffer);
}

static inline CURLcode ccurl_get_long(CURL *_Nonnull easy, CURLINFO info, long *_Nonnull value) {
  return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode ccurl_get_offset(
    CURL *_Nonnull easy, CURLINFO info, int64_t *_Nonnull value) {
  curl_off_t offset = 0;
  CURLcode code = curl_easy_getinfo(easy, info, &offset);
  *value = offset;
  return code;
}
static inline CURLcode ccurl_get_string(
    CURL *_Nonnull easy, CURLINFO info, const char *_Nullable *_Nonnull value) {
  char *text = NULL;
  CURLcode code = curl_easy_getinfo(easy, info, &text);
  *value = text;
  return code;
}
static inline CURLcode ccurl_get_pointer(
    CURL *_Nonnull easy, CURLINFO info, void *_Nullable *_Nonnull value) {
  char *pointer = NULL;
  CURLcode code = curl_easy_getinfo(easy, info, &pointer);
  *value = pointer;
  return code;
}

static inline CURLMcode ccurl_multi_set_long(
    CURLM *_Nonnull multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

static inline CURLSHcode ccurl_share_cookies(CURLSH *_Nonnull share) {
  return curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
}

// The next finished transfer: its handle and its result, or NULL when there is none.
static inline CURL *_Nullable ccurl_multi_next_done(
    CURLM *_Nonnull multi, CURLcode *_Nonnull result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left)) != NULL) {
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return message->easy_handle;
    }
  }
  return NULL;
}

// CURL_GLOBAL_DEFAULT is a macro with a cast that Swift does not import.
static inline CURLcode ccurl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

// Makes OpenSSL report a connection that ends without close_notify, which libcurl asks it to hide:
// for a body that only the end of the connection ends, the difference is a whole or a cut file.
static inline CURLcode ccurl_clear_ignored_eof(
    CURL *_Nonnull easy, void *_Nonnull context, void *_Nullable user) {
  (void)easy;
  (void)user;
  SSL_CTX_clear_options((SSL_CTX *)context, SSL_OP_IGNORE_UNEXPECTED_EOF);
  return CURLE_OK;
}
static inline CURLcode ccurl_report_missing_close(CURL *_Nonnull easy) {
  return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, ccurl_clear_ignored_eof);
}

// Whether the other side said that its TLS connection ends. libcurl 7.88 feeds OpenSSL bytes in a way that
// hides an end without close_notify, so OpenSSL itself is listened to. Two hold a watch: the connection
// and whoever asked; both on the thread that drives the transfer.
typedef struct {
  int holders;
  int closed;
} ccurl_close_watch;

static inline void ccurl_close_watch_free(ccurl_close_watch *_Nonnull watch) {
  if (--watch->holders == 0) free(watch);
}
static inline int ccurl_close_watch_saw(const ccurl_close_watch *_Nonnull watch) {
  return watch->closed;
}
static inline void ccurl_close_watch_drop(
    void *_Nullable connection, void *_Nullable watch, CRYPTO_EX_DATA *_Nullable data, int index,
    long number, void *_Nullable pointer) {
  (void)connection, (void)data, (void)index, (void)number, (void)pointer;
  if (watch != NULL) ccurl_close_watch_free((ccurl_close_watch *)watch);
}
// The place of a watch among what a connection carries; made once, by the initialiser of a Swift constant.
static inline int ccurl_close_watch_index(void) {
  return SSL_get_ex_new_index(0, NULL, NULL, NULL, ccurl_close_watch_drop);
}

// Starts to watch the connection of a transfer under way; NULL where it is not TLS by OpenSSL.
static inline ccurl_close_watch *_Nullable ccurl_watch_close(
    CURL *_Nonnull easy, int index, void (*_Nonnull listen)(const SSL *_Nullable, int, int)) {
  struct curl_tlssessioninfo *session = NULL;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || session == NULL
      || session->backend != CURLSSLBACKEND_OPENSSL || session->internals == NULL)
    return NULL;
  SSL *connection = (SSL *)session->internals;
  if (SSL_get_ex_data(connection, index) != NULL) return NULL;
  ccurl_close_watch *watch = (ccurl_close_watch *)calloc(1, sizeof(ccurl_close_watch));
  if (watch == NULL) return NULL;
  watch->holders = 1;
  if (SSL_set_ex_data(connection, index, watch) == 1) {
    watch->holders = 2;
    watch->closed = (SSL_get_shutdown(connection) & SSL_RECEIVED_SHUTDOWN) != 0;
    SSL_set_info_callback(connection, listen);
  }
  return watch;
}
// To be called from a listener: notes the alert in the connection's watch.
static inline void ccurl_note_alert(const SSL *_Nullable connection, int index, int where, int alert) {
  ccurl_close_watch *watch =
      connection == NULL ? NULL : (ccurl_close_watch *)SSL_get_ex_data(connection, index);
  if (watch != NULL && where == SSL_CB_READ_ALERT && (alert & 0xff) == SSL_AD_CLOSE_NOTIFY)
    watch->closed = 1;
}

// Values behind macros with casts.
static inline size_t ccurl_write_pause(void) { return CURL_WRITEFUNC_PAUSE; }
static inline size_t ccurl_write_error(void) { return CURL_WRITEFUNC_ERROR; }
static inline unsigned long ccurl_auth_any(void) { return CURLAUTH_ANY; }
static inline unsigned long ccurl_auth_basic(void) { return CURLAUTH_BASIC; }

#endif
