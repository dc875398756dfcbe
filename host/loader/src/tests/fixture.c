/* A model plugin without function. Each FIXTURE_ macro makes it misbehave in one way. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bridgehead.h"

#ifdef FIXTURE_ABI_MAJOR
#undef BH_ABI_MAJOR
#define BH_ABI_MAJOR FIXTURE_ABI_MAJOR
#endif

#ifdef FIXTURE_ABI_MINOR
#undef BH_ABI_MINOR
#define BH_ABI_MINOR FIXTURE_ABI_MINOR
#endif

#ifdef FIXTURE_CONSTRUCTOR
__attribute__((constructor)) static void constructor(void) { FIXTURE_CONSTRUCTOR; }
#endif

#ifdef FIXTURE_BALLAST
const char fixture_ballast[FIXTURE_BALLAST] = { 1 };
#endif

#ifdef FIXTURE_UNDEFINED
void no_library_defines_this(void);
#endif

static bh_status awake(void *ctx) { (void)ctx; return BH_STATUS_OK; }
static bh_status reset(void *ctx, uint32_t scope) { (void)ctx; (void)scope; return BH_STATUS_OK; }
static const void *get_extension(void *ctx, bh_str id) { (void)ctx; (void)id; return NULL; }
static void destroy(void *ctx) { (void)ctx; }

static bh_status create(const bh_host *host, bh_model_instance *out)
{
    (void)host;
#ifdef FIXTURE_UNDEFINED
    no_library_defines_this();
#endif
#ifdef FIXTURE_CREATE
    FIXTURE_CREATE;
#endif
    out->struct_size = BH_SIZE(bh_model_instance);
    out->awake = awake;
    out->reset = reset;
    out->get_extension = get_extension;
    out->destroy = destroy;
    return BH_STATUS_OK;
}

static bh_status register_types(const bh_host *host) { (void)host; return BH_STATUS_OK; }

#ifndef FIXTURE_CREATE_FUNCTION
#define FIXTURE_CREATE_FUNCTION create
#endif

const bh_model_factory factory = { BH_SIZE(bh_model_factory), 0, register_types, FIXTURE_CREATE_FUNCTION };

/* Keeps `create` in use if a case leaves it out. */
const void *const fixture_create = (const void *)create;

BH_EXPORT_PLUGIN(MODEL, FIXTURE_ID, FIXTURE_NAME, "1.0.0", "Example", "MIT", FIXTURE_REQUIRES, &factory)
