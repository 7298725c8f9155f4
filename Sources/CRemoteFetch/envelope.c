#include "request.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

/* libcrypto's own numbers and types, which have not changed since 1.1.1. */
enum { SIGNATURE_SIZE = 64, KEY_SIZE = 32, ED25519 = 1087 };

struct crypto {
    int (*decode)(unsigned char *to, const unsigned char *from, int count);
    void *(*new_key)(int type, void *engine, const unsigned char *key, size_t size);
    void *(*new_context)(void);
    int (*begin)(void *context, void **key_context, const void *digest, void *engine, void *key);
    int (*verify)(void *context, const unsigned char *signature, size_t size, const unsigned char *text, size_t length);
    void (*free_context)(void *context);
    void (*free_key)(void *key);
};

static const char *const libraries[] = {"libcrypto.so.3", "libcrypto.so.1.1", 0};
static const char magic[] = "sonde-signed-1 ";
static const char head[] = "serial: ";
/* The form of an Ed25519 SubjectPublicKeyInfo, RFC 8410, before the key itself. */
static const unsigned char key_form[12] = {0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00};

void *remote_library(const char *const *names) {
    void *handle = 0;
    while (!handle && *names) handle = dlopen(*names++, RTLD_NOW | RTLD_LOCAL);
    return handle;
}

static bool link_crypto(struct crypto *crypto) {
    void *handle = remote_library(libraries);
    if (!handle) return false;
    *(void **)&crypto->decode = dlsym(handle, "EVP_DecodeBlock");
    *(void **)&crypto->new_key = dlsym(handle, "EVP_PKEY_new_raw_public_key");
    *(void **)&crypto->new_context = dlsym(handle, "EVP_MD_CTX_new");
    *(void **)&crypto->begin = dlsym(handle, "EVP_DigestVerifyInit");
    *(void **)&crypto->verify = dlsym(handle, "EVP_DigestVerify");
    *(void **)&crypto->free_context = dlsym(handle, "EVP_MD_CTX_free");
    *(void **)&crypto->free_key = dlsym(handle, "EVP_PKEY_free");
    return crypto->decode && crypto->new_key && crypto->new_context && crypto->begin && crypto->verify
           && crypto->free_context && crypto->free_key;
}

/* `text` is base64 of so many bytes and nothing else. */
static bool decode(const struct crypto *crypto, const char *text, size_t length, unsigned char *bytes, size_t size) {
    if (length != (size + 2) / 3 * 4) return false;
    unsigned char decoded[3 * ((SIGNATURE_SIZE + 2) / 3)];
    /* It skips white space at either end, which would be another text of the same signature. */
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] <= ' ') return false;
    }
    size_t padding = (3 - size % 3) % 3;
    for (size_t i = 0; i < padding; i++) {
        if (text[length - 1 - i] != '=') return false;
    }
    if (crypto->decode(decoded, (const unsigned char *)text, (int)length) != (int)(size + padding)) return false;
    memcpy(bytes, decoded, size);
    return true;
}

/* The number in the first line, which is `serial: 7`: one to eighteen digits that do not begin with 0. */
static bool read_serial(struct remote_text text, unsigned long long *serial) {
    if (text.size < sizeof head || memcmp(text.bytes, head, sizeof head - 1) != 0) return false;
    size_t i = sizeof head - 1, first = i;
    *serial = 0;
    for (; i < text.size && text.bytes[i] >= '0' && text.bytes[i] <= '9'; i++) {
        if (i - first >= 18) return false;
        *serial = *serial * 10 + (unsigned long long)(text.bytes[i] - '0');
    }
    return i > first && text.bytes[first] != '0' && i < text.size && text.bytes[i] == '\n';
}

const char *remote_envelope_open(struct remote_text file, const char *key, struct remote_text *payload,
                                 unsigned long long *serial, const char **missing) {
    if (file.size < sizeof magic || memcmp(file.bytes, magic, sizeof magic - 1) != 0)
        return "it is not signed: it does not begin with 'sonde-signed-1'";
    const char *signature = file.bytes + sizeof magic - 1;
    const char *end = memchr(signature, '\n', file.size - (sizeof magic - 1));
    if (!end) return "it is not signed: its first line has no end";

    struct crypto crypto;
    if (!link_crypto(&crypto)) {
        *missing = "libcrypto.so.3";
        return "";
    }
    unsigned char form[sizeof key_form + KEY_SIZE], bytes[SIGNATURE_SIZE];
    if (!decode(&crypto, key, strlen(key), form, sizeof form) || memcmp(form, key_form, sizeof key_form) != 0)
        return "agent.remote.public_key is no Ed25519 key";
    if (!decode(&crypto, signature, (size_t)(end - signature), bytes, sizeof bytes))
        return "its first line holds no signature";
    payload->bytes = end + 1;
    payload->size = file.size - (size_t)(end + 1 - file.bytes);
    void *public = crypto.new_key(ED25519, 0, form + sizeof key_form, KEY_SIZE);
    void *context = crypto.new_context();
    bool is_ready = public && context && crypto.begin(context, 0, 0, 0, public) == 1;
    const unsigned char *text = (const unsigned char *)payload->bytes;
    bool is_signed = is_ready && crypto.verify(context, bytes, sizeof bytes, text, payload->size) == 1;
    crypto.free_context(context);
    crypto.free_key(public);
    if (!is_ready) return "libcrypto cannot verify Ed25519";
    if (!is_signed)
        return "its signature is not that of agent.remote.public_key, or it was changed or cut after it was signed";
    if (!read_serial(*payload, serial)) return "its signed text does not begin with a line like 'serial: 7'";
    return 0;
}
