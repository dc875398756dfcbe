
/* ---- texts ------------------------------------------------------------------------------------- */

/** Initialiser of a `bh_str` from a string literal: `static const bh_str id = BH_STR_INIT("x");`. */
#define BH_STR_INIT(literal) { (const uint8_t *)("" literal), sizeof(literal) - 1 }

/** A `bh_str` from a string literal, as an expression: `bh_str_lit("x")`. */
#define bh_str_lit(literal) bh_str_of("" literal, sizeof(literal) - 1)

/** A `bh_str` from `len` bytes of UTF-8 at `text`. */
static inline bh_str bh_str_of(const char *text, size_t len)
{
    bh_str str;
    str.ptr = (const uint8_t *)text;
    str.len = len;
    return str;
}

/** A `bh_str` from a NUL-terminated text; an empty one from a null pointer. */
static inline bh_str bh_str_from(const char *text)
{
    size_t len = 0;
    while (text != NULL && text[len] != '\0') {
        len++;
    }
    return bh_str_of(text, len);
}

/** `bh_bytes` from `len` bytes at `data`. */
static inline bh_bytes bh_bytes_of(const void *data, size_t len)
{
    bh_bytes bytes;
    bytes.ptr = (const uint8_t *)data;
    bytes.len = len;
    return bytes;
}

/** 1 where both texts have the same bytes, otherwise 0. */
static inline int bh_str_equal(bh_str left, bh_str right)
{
    size_t at = 0;
    while (at < left.len && at < right.len && left.ptr[at] == right.ptr[at]) {
        at++;
    }
    return left.len == right.len && at == left.len;
}

/* ---- connection strings ------------------------------------------------------------------------ */

/** A key of connection strings, and its value in one of them. */
struct bh_connection_key {
    /** Small letters, digits and `_`; NUL-terminated. Filled by the plugin. */
    const char *name;
    /** Filled by `bh_connection_read`: a part of the string, without spaces around it; `ptr` is null if the key is not given. */
    bh_str value;
};
typedef struct bh_connection_key bh_connection_key;

/** What is wrong with a part of a connection string. */
#define BH_CONNECTION_UNKNOWN_KEY 1
#define BH_CONNECTION_GIVEN_TWICE 2
#define BH_CONNECTION_NO_OPTION 3

/** The text without spaces around it. */
static inline bh_str bh_str_trim(bh_str text)
{
    while (text.len > 0 && (text.ptr[0] == ' ' || text.ptr[0] == '\t')) {
        text.ptr++;
        text.len--;
    }
    while (text.len > 0 && (text.ptr[text.len - 1] == ' ' || text.ptr[text.len - 1] == '\t')) {
        text.len--;
    }
    return text;
}

/** Splits `key=value` where `part` begins with a key; otherwise returns 0. */
static inline int bh_connection_option(bh_str part, bh_str *key, bh_str *value)
{
    size_t at = 0;
    while (at < part.len && part.ptr[at] != '=') {
        at++;
    }
    if (at == part.len) {
        return 0;
    }
    *key = bh_str_trim(bh_str_of((const char *)part.ptr, at));
    *value = bh_str_trim(bh_str_of((const char *)part.ptr + at + 1, part.len - at - 1));
    for (at = 0; at < key->len; at++) {
        const uint8_t byte = key->ptr[at];
        const int is_letter = byte >= 'a' && byte <= 'z';
        if (!is_letter && (at == 0 || (byte != '_' && (byte < '0' || byte > '9')))) {
            return 0;
        }
    }
    return key->len > 0;
}

/** The length of the part with which `text` begins: a `;` ends it if a key or nothing follows. */
static inline size_t bh_connection_part(bh_str text)
{
    size_t at = 0;
    bh_str key, value, rest;
    for (at = 0; at < text.len; at++) {
        if (text.ptr[at] == ';') {
            rest = bh_str_of((const char *)text.ptr + at, text.len - at);
            while (rest.len > 0 && (rest.ptr[0] == ';' || rest.ptr[0] == ' ' || rest.ptr[0] == '\t')) {
                rest.ptr++;
                rest.len--;
            }
            if (rest.len == 0 || bh_connection_option(rest, &key, &value)) {
                break;
            }
        }
    }
    return at;
}

/**
 * Splits a connection string `TARGET;key=value;…`, in the grammar of all bridges: the target comes first, each key is given
 * at most once, and a `;` ends a part only if `key=` or nothing follows it. The first part is the target unless it begins
 * with one of the keys; every byte of it counts. `target` is null for a bridge whose strings have options only; a target
 * that is left out has the length 0.
 *
 * Returns 0, or what is wrong with the part that `wrong` then is: a `BH_CONNECTION_` number.
 */
static inline int bh_connection_read(bh_str text, bh_str *target, bh_connection_key *keys, size_t count, bh_str *wrong)
{
    size_t at, length, number;
    bh_str key, value;
    for (at = 0; at < count; at++) {
        keys[at].value = bh_str_of(NULL, 0);
    }
    if (target != NULL) {
        *target = bh_str_of((const char *)text.ptr, 0);
    }
    for (number = 0; number == 0 || text.len > 0; number++) {
        length = bh_connection_part(text);
        *wrong = bh_str_of((const char *)text.ptr, length);
        text.ptr += length + (length < text.len);
        text.len -= length + (length < text.len);
        at = count;
        if (bh_connection_option(*wrong, &key, &value)) {
            for (at = 0; at < count && !bh_str_equal(key, bh_str_from(keys[at].name)); at++) {
            }
            if (at == count && (number > 0 || target == NULL)) {
                return BH_CONNECTION_UNKNOWN_KEY;
            }
        }
        if (at < count) {
            if (keys[at].value.ptr != NULL) {
                return BH_CONNECTION_GIVEN_TWICE;
            }
            keys[at].value = value;
        } else if (number == 0 && target != NULL) {
            *target = *wrong;
        } else if (bh_str_trim(*wrong).len > 0) {
            return BH_CONNECTION_NO_OPTION;
        }
    }
    return 0;
}

/* ---- marks ------------------------------------------------------------------------------------- */

/** Value of `struct_size` for a struct that the plugin fills. */
#define BH_SIZE(type) ((uint32_t)sizeof(type))

/** Makes a symbol visible although the library is built with -fvisibility=hidden, as it should be. */
#define BH_EXPORT __attribute__((visibility("default")))

/* Keeps a section through -O2, --gc-sections and strip; the data is constant, so the section is read-only. */
#if defined(__has_attribute)
#if __has_attribute(retain)
#define BH_IN_SECTION(name) __attribute__((used, retain, section(name)))
#endif
#endif
#ifndef BH_IN_SECTION
#define BH_IN_SECTION(name) __attribute__((used, section(name)))
#endif

/**
 * Stands behind the parameters of every function that the host calls. In C++ an exception must not
 * leave such a function: with this mark it ends the process where it was thrown instead of unwinding
 * through the host. To report it and go on, put the body into `bh_guard`, at the end of this file.
 */
#ifdef __cplusplus
#define BH_NOEXCEPT noexcept
#else
#define BH_NOEXCEPT
#endif

/* ---- layout table ------------------------------------------------------------------------------ */

#if defined(__cplusplus)
#define BH_ALIGN_OF(type) alignof(type)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define BH_ALIGN_OF(type) _Alignof(type)
#else
#define BH_ALIGN_OF(type) __alignof__(type)
#endif

#define BH_LAYOUT_STRUCT(name, type) { name, "", (uint32_t)BH_ALIGN_OF(type), (uint32_t)sizeof(type) },
#define BH_LAYOUT_FIELD(name, rust_type, type, field) \
    { name, rust_type, (uint32_t)offsetof(type, field), (uint32_t)sizeof(((type *)0)->field) },

/** A row is read from the file as 256 bytes. */
typedef char bh_layout_row_has_256_bytes[sizeof(bh_layout_row) == 256 ? 1 : -1];

/**
 * Places the layout table of this compiler in section `.bridgehead.layout`. Use it once, in one source
 * file of the library, without a semicolon; `BH_EXPORT_PLUGIN` contains it. The host compares the table
 * with its own and names each field that differs.
 */
#define BH_LAYOUT_TABLE() \
    BH_IN_SECTION(BH_LAYOUT_SECTION) static const bh_layout_row bh_layout_table[] = { BH_LAYOUT_ROWS };

/* Names and types are those of the Rust side, the types without white space. */
