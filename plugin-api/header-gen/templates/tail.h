
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
