/*
 * bridgehead.h: the C ABI between the Bridgehead host and its plugins.
 *
 * GENERATED from the sources of the crate `bridgehead-abi` by `cargo run -p bridgehead-header-gen`.
 * Do not edit. C99 and C++17; needs <stdint.h> and <stddef.h> only. SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A plugin is a shared library with one exported symbol, `bridgehead_plugin_entry`, and two ELF sections
 * that the host reads before it runs any code of the library: what the library contains
 * (`.bridgehead.meta`) and how the compiler laid out the structs of this header (`.bridgehead.layout`).
 * `BH_EXPORT_PLUGIN`, at the end of this file, writes all three for a library with one plugin.
 *
 * Names
 *   types       `HostBus` of the Rust crate is `bh_host_bus`
 *   constants   `BH_` and the name (`BH_RELIABILITY_RELIABLE`); status codes are `BH_STATUS_OK`, extension
 *               ids are `BH_EXT_BUS`, the states of a bridge are `BH_BRIDGE_STATUS_CONNECTED`
 *   fields      as in Rust; where C or C++ reserves the word, with an underscore behind it (`register_`)
 *
@DOCS@
 */
#ifndef BRIDGEHEAD_H
#define BRIDGEHEAD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
