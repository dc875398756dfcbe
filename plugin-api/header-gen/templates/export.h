
/* ---- metadata ---------------------------------------------------------------------------------- */

/**
 * Places a JSON text in section `.bridgehead.meta`; its form is described at `BH_METADATA_SECTION`. Use
 * it once, in one source file of the library, without a semicolon. The text is one string literal (or
 * several side by side), and the compiler ends it with a NUL: the host reads the section up to the first
 * NUL byte or its end, and refuses a library in whose section anything but NUL bytes follows.
 */
#define BH_METADATA_JSON(json) \
    BH_IN_SECTION(BH_METADATA_SECTION) static const char bh_metadata[] = "" json;

/** A string literal in the quotation marks of JSON: `BH_QUOTE(BH_EXT_LOG)`. */
#define BH_QUOTE(literal) "\"" literal "\""

#define BH_TEXT_OF_(token) #token
#define BH_TEXT_OF(token) BH_TEXT_OF_(token)
#define BH_KIND_NAME_BRIDGE "bridge"
#define BH_KIND_NAME_MODEL "model"

/**
 * What a model plugin remembers from step to step, which `bridgehead plugin list` shows: "nothing", "saved"
 * where its `save` and `load` keep it, or "unsaved", and a restored run finds it as after a reset. Define it
 * before this file is included.
 */
#ifndef BH_PLUGIN_STATE
#define BH_PLUGIN_STATE "unsaved"
#endif
#define BH_STATE_FIELD_BRIDGE ""
#define BH_STATE_FIELD_MODEL "," BH_QUOTE("state") ":" BH_QUOTE(BH_PLUGIN_STATE)

/**
 * The metadata of a library with one plugin. `kind` is `BRIDGE` or `MODEL`; the texts are string literals
 * that JSON needs no escapes for; `requires` is "" or a list of extensions without which the plugin cannot
 * work: `BH_QUOTE(BH_EXT_BUS) "," BH_QUOTE(BH_EXT_CLOCK)`.
 */
#define BH_METADATA(kind, id, name, version, vendor, license, requires_) \
    BH_METADATA_JSON("{" \
        BH_QUOTE("schema") ":" BH_TEXT_OF(BH_METADATA_SCHEMA) "," \
        BH_QUOTE("abi") ":[" BH_TEXT_OF(BH_ABI_MAJOR) "," BH_TEXT_OF(BH_ABI_MINOR) "]," \
        BH_QUOTE("sdk") ":" BH_QUOTE("bridgehead.h " BH_TEXT_OF(BH_ABI_MAJOR) "." BH_TEXT_OF(BH_ABI_MINOR)) "," \
        BH_QUOTE("panic") ":" BH_QUOTE("none") "," \
        BH_QUOTE("plugins") ":[{" \
            BH_QUOTE("id") ":" BH_QUOTE(id) "," \
            BH_QUOTE("kind") ":" BH_QUOTE(BH_KIND_NAME_##kind) "," \
            BH_QUOTE("name") ":" BH_QUOTE(name) "," \
            BH_QUOTE("version") ":" BH_QUOTE(version) "," \
            BH_QUOTE("vendor") ":" BH_QUOTE(vendor) "," \
            BH_QUOTE("license") ":" BH_QUOTE(license) "," \
            BH_QUOTE("requires") ":[" requires_ "]," \
            BH_QUOTE("provides") ":[]" BH_STATE_FIELD_##kind "}]}")

/* ---- entry ------------------------------------------------------------------------------------- */

/**
 * The one exported symbol of a library. It is visible through this declaration; define it without
 * BH_EXPORT, which C++ compilers ignore, with a warning, on the definition of a constant.
 */
extern BH_EXPORT const bh_entry bridgehead_plugin_entry;

/**
 * Everything a library with one plugin needs besides the plugin: metadata, layout table, descriptor (from
 * the same texts as the metadata), list of plugins and entry. `factory` is the address of a static
 * `bh_bridge_factory` or `bh_model_factory`; the other arguments are those of `BH_METADATA`. Use it once,
 * behind the factory, without a semicolon. A library with several plugins, or with an `init` or extensions
 * of its own, writes these few definitions itself.
 */
#define BH_EXPORT_PLUGIN(kind, id, name, version, vendor, license, requires_, factory_) \
    BH_METADATA(kind, id, name, version, vendor, license, requires_) \
    BH_LAYOUT_TABLE() \
    static const bh_descriptor bh_the_descriptor = { \
        BH_SIZE(bh_descriptor), BH_KIND_##kind, BH_STR_INIT(id), BH_STR_INIT(name), \
        BH_STR_INIT(version), BH_STR_INIT(vendor), BH_STR_INIT(license) }; \
    static const bh_descriptor *bh_descriptor_at(uint32_t index) BH_NOEXCEPT \
    { \
        return index == 0 ? &bh_the_descriptor : NULL; \
    } \
    static const void *bh_factory_at(uint32_t index) BH_NOEXCEPT \
    { \
        return index == 0 ? (const void *)(factory_) : NULL; \
    } \
    static const bh_plugin_factory bh_the_plugins = { \
        BH_SIZE(bh_plugin_factory), 1, bh_descriptor_at, bh_factory_at }; \
    static bh_status bh_library_init(const bh_host *host) BH_NOEXCEPT \
    { \
        (void)host; \
        return BH_STATUS_OK; \
    } \
    static void bh_library_deinit(void) BH_NOEXCEPT {} \
    static const void *bh_library_object(bh_str wanted) BH_NOEXCEPT \
    { \
        return bh_str_equal(wanted, bh_str_lit(BH_EXT_PLUGIN_FACTORY)) ? (const void *)&bh_the_plugins : NULL; \
    } \
    const bh_entry bridgehead_plugin_entry = { \
        BH_ENTRY_MAGIC, BH_SIZE(bh_entry), BH_ABI_MAJOR, BH_ABI_MINOR, 0, \
        bh_library_init, bh_library_deinit, bh_library_object };

#ifdef __cplusplus
} /* extern "C" */

#ifdef __cpp_exceptions
#include <exception>

/**
 * C++: runs `body`, which returns a `bh_status`, and turns an exception into BH_STATUS_PANIC with its
 * text given to `explain`. The host then calls the instance no more except to stop and destroy it.
 *
 *     static bh_status start(void *ctx) noexcept
 *     {
 *         auto *self = static_cast<Sensor *>(ctx);
 *         return bh_guard(self->host, [&] { return self->start(); });
 *     }
 */
template <class Body> bh_status bh_guard(const bh_host *host, Body &&body) noexcept
{
    try {
        return body();
    } catch (const std::exception &error) {
        host->explain(host, bh_str_from(error.what()));
    } catch (...) {
        host->explain(host, bh_str_lit("an exception that is not a std::exception"));
    }
    return BH_STATUS_PANIC;
}
#endif
#endif

#endif /* BRIDGEHEAD_H */
