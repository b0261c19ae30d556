# What ./test --full adds, and the steps that both share. Sourced after gates.sh.
# shellcheck shell=bash

clang=(-DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19)
no_page=(-DTD_WEB=OFF)

# unit_tests DIR [ARGUMENTS OF ctest]
unit_tests() { ctest --test-dir "$1" --output-on-failure --no-tests=error -j "$(nproc)" "${@:2}"; }

# The hash over fixed seeds that DIR's compiler gives is the one that is checked in.
same_hash() {
  if [[ ! -d tests/hash ]]; then
    echo "tests/hash/ does not exist: there is nothing to compare yet"
    return 1
  fi
  build_targets "$1" td_hash || return 1
  local got expected
  if [[ -f $1/td_hash.wasm ]]; then
    got=$(node --no-warnings tools/lib/run_wasi.mjs "$1/td_hash.wasm") || return 1
  else
    got=$("$1/td_hash") || return 1
  fi
  expected=$(cat tests/golden/hash.txt) || return 1
  echo "got $got, tests/golden/hash.txt has $expected"
  [[ $got =~ ^[0-9a-f]{16}$ && $got == "$expected" ]]
}

sanitizer_build() {
  configure build/asan -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1" \
    -DTD_SANITIZE=address,undefined -DTD_TESTS=ON "${no_page[@]}" && build_targets build/asan
}

# Without the classifiers: they are statistics over hundreds of drills, which the plain build tells ten times faster.
sanitizer_tests() {
  UBSAN_OPTIONS=print_stacktrace=1 ASAN_OPTIONS=detect_stack_use_after_return=1 unit_tests build/asan -E '^Guessing'
}

clang_build() {
  configure build/clang -DCMAKE_BUILD_TYPE=Release -DTD_WERROR=ON -DTD_TESTS=ON "${clang[@]}" "${no_page[@]}" &&
    build_targets build/clang
}

wasm_build() {
  configure build/wasm -DCMAKE_BUILD_TYPE=Release -DTD_WERROR=ON --toolchain cmake/wasm.cmake && build_targets build/wasm
}

# The module answers under Node what the binary's API answers.
wasm_answers() { node apps/wasm/call.mjs build/wasm/tracedrills.wasm catalog; }

fuzz_build() {
  local -a harnesses
  mapfile -t harnesses < <(fuzz_names)
  configure build/fuzz -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1" \
    -DTD_FUZZ=ON -DTD_SANITIZE=address,undefined -DTD_TESTS=OFF "${clang[@]}" "${no_page[@]}" &&
    build_targets build/fuzz "${harnesses[@]}"
}

# td_NAME_fuzz for each fuzz/NAME_fuzz.cc.
fuzz_names() {
  local file
  for file in fuzz/*_fuzz.cc; do
    [[ ! -f $file ]] || echo "td_$(basename "$file" .cc)"
  done
}

# What the fuzzer finds on its way is kept in build/, the seeds are the checked-in ones.
fuzz_one() {
  local name=$1 seconds=${TD_FUZZ_SECONDS:-60}
  local corpus=fuzz/corpus/${name#td_}
  corpus=${corpus%_fuzz}
  local found=build/fuzz/found/$name
  mkdir -p "$found"
  local -a seeds=()
  if [[ -d $corpus ]]; then seeds=("$corpus"); fi
  local dictionary=fuzz/${corpus##*/}.dict
  if [[ -f $dictionary ]]; then seeds+=(-dict="$dictionary"); fi
  "build/fuzz/fuzz/$name" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix="$found-" "$found" "${seeds[@]}"
}

# Every file that the clang build compiles, without tests and generated ones.
tidy_all() {
  find src native apps -name '*.cc' ! -name '*_test.cc' ! -path 'apps/wasm/*' -print0 | sort -z |
    xargs -0 -n 2 -P "$(nproc)" clang-tidy-19 -p build/clang --quiet --warnings-as-errors='*'
}

full_checks() {
  step "sanitizers: build" sanitizer_build
  step "sanitizers: unit tests" sanitizer_tests
  step "clang 19: build" clang_build
  step "clang 19: unit tests" unit_tests build/clang -E '^(Guessing|Solvable)'
  step "gate: determinism (clang)" same_hash build/clang
  step "wasm32: build" wasm_build
  step "wasm32: answers in Node" wasm_answers
  step "gate: determinism (wasm32)" same_hash build/wasm
  step "fuzzing: build" fuzz_build
  local name
  for name in $(fuzz_names); do step "fuzzing: $name" fuzz_one "$name"; done
  step "clang-tidy" tidy_all
}
