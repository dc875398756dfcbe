#!/usr/bin/env bash
# Runs fuzz targets with libFuzzer: `bash tests/fuzz/run.sh [SECONDS [TARGET...]]`, 60 seconds each and all of them if
# nothing is given. A target ends earlier after ten million inputs. Needs the compiler of the workspace and a C++ compiler; no nightly compiler and no cargo-fuzz.
# Inputs that reach new code are kept in target/fuzz/corpus, inputs that fail in target/fuzz/failures.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
target="${CARGO_TARGET_DIR:-target}"
mkdir -p "$target"
target="$(cd "$target" && pwd)"
here=tests/fuzz
seconds="${1:-60}"
shift || true
targets=("$@")
if [ "${#targets[@]}" -eq 0 ]; then
    mapfile -t targets < <(sed -n 's/^    ("\([a-z_]*\)", .*/\1/p' $here/libfuzzer/src/main.rs)
fi

# Counters of covered code, which libFuzzer reads. `fuzzing` turns on the targets.
coverage="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4"
coverage+=" -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table"
coverage+=" -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1"
# Tests use more of some modules than the targets do, so warnings about unused code mean nothing here.
RUSTFLAGS="--cfg fuzzing $coverage -Awarnings" cargo build --target x86_64-unknown-linux-gnu \
    --manifest-path $here/libfuzzer/Cargo.toml --target-dir "$target/fuzz"
program="$target/fuzz/x86_64-unknown-linux-gnu/debug/bridgehead-libfuzzer"

status=0
for name in "${targets[@]}"; do
    mkdir -p "$target/fuzz/corpus/$name" "$target/fuzz/failures"
    # Two targets read the same files.
    seeds="$here/corpus/$name"
    [ "$name" != world ] || seeds="$here/corpus/sdf"
    options=(-runs=10000000 -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -malloc_limit_mb=512 -max_len=262144 -verbosity=0)
    dictionary="$here/dictionaries/$name.txt"
    [ "$name" != world ] || dictionary="$here/dictionaries/sdf.txt"
    [ ! -e "$dictionary" ] || options+=(-dict="$dictionary")
    log="$target/fuzz/$name.log"
    if BRIDGEHEAD_FUZZ="$name" "$program" "${options[@]}" -print_final_stats=1 \
        -artifact_prefix="$target/fuzz/failures/$name-" "$target/fuzz/corpus/$name" "$seeds" >"$log" 2>&1; then
        printf '%-20s %s inputs, no failure\n' "$name" \
            "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
    else
        printf '%-20s FAILED: %s\n' "$name" "$log"
        tail -n 20 "$log"
        status=1
    fi
done
exit "$status"
