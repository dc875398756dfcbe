/* Two plugins in one library, with an `init` and a `deinit` that note each call in a file. */
#include <stdio.h>

#include "bridgehead.h"

static void note(const char *line)
{
    FILE *file = fopen(PAIR_NOTES, "a");
    fprintf(file, "%s\n", line);
    fclose(file);
}

static bh_status init(const bh_host *host)
{
    note("init " PAIR_LABEL);
#ifdef PAIR_REFUSES
    host->explain(host, bh_str_lit("the licence server is away"));
    return BH_STATUS_IO;
#else
    (void)host;
    return BH_STATUS_OK;
#endif
}

static void deinit(void) { note("deinit " PAIR_LABEL); }

static bh_status nothing(const bh_host *host) { (void)host; return BH_STATUS_UNSUPPORTED; }
static bh_status create(const bh_host *host, bh_model_instance *out) { (void)host; (void)out; return BH_STATUS_UNSUPPORTED; }
static const bh_model_factory factory = { BH_SIZE(bh_model_factory), 0, nothing, create };
static const void *factory_at(uint32_t index) { return index < 2 ? &factory : NULL; }

static const bh_descriptor descriptors[] = {
    { BH_SIZE(bh_descriptor), PAIR_FIRST_KIND, BH_STR_INIT("org.example.shared"), BH_STR_INIT("shared"),
      BH_STR_INIT("2.0"), BH_STR_INIT(""), BH_STR_INIT("") },
    { BH_SIZE(bh_descriptor), BH_KIND_MODEL, BH_STR_INIT("org.example." PAIR_LABEL), BH_STR_INIT(PAIR_LABEL),
      BH_STR_INIT("2.0"), BH_STR_INIT(""), BH_STR_INIT("") },
};
static const bh_descriptor *descriptor_at(uint32_t index) { return index < 2 ? &descriptors[index] : NULL; }
static const bh_plugin_factory plugins = { BH_SIZE(bh_plugin_factory), PAIR_COUNT, descriptor_at, factory_at };

static const void *object(bh_str id)
{
    return bh_str_equal(id, bh_str_lit(BH_EXT_PLUGIN_FACTORY)) ? &plugins : NULL;
}

BH_METADATA_JSON(
    "{\"schema\":1,\"abi\":[" BH_TEXT_OF(BH_ABI_MAJOR) "," BH_TEXT_OF(BH_ABI_MINOR) "],\"panic\":\"" PAIR_PANIC "\",\"plugins\":["
    "{\"id\":\"org.example.shared\",\"kind\":\"" PAIR_FIRST_WORD "\",\"name\":\"shared\",\"version\":\"2.0\"},"
    "{\"id\":\"org.example." PAIR_LABEL "\",\"kind\":\"model\",\"name\":\"" PAIR_LABEL "\",\"version\":\"2.0\"}]}")
BH_LAYOUT_TABLE()

const bh_entry bridgehead_plugin_entry = {
    BH_ENTRY_MAGIC, BH_SIZE(bh_entry), BH_ABI_MAJOR, BH_ABI_MINOR, 0, init, deinit, object };
