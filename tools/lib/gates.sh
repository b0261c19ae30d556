# The gates: each is a function that prints what is wrong and returns 1. Sourced after report.sh.
# shellcheck shell=bash

# Every C++ file of the checkout, known to git or new, NUL-separated.
cpp_files() {
  git ls-files -z --cached --others --exclude-standard -- '*.cc' '*.h' | while IFS= read -r -d '' file; do
    [[ ! -f $file ]] || printf '%s\0' "$file"
  done
}

gate_format() {
  cpp_files | xargs -0 clang-format-19 --dry-run -Werror
}

gate_layers() { tools/check_layers; }

gate_tools_tests() { node --test tools/lib/*_test.mjs; }

gate_shell() {
  local script
  local -a scripts=(run test .ci/run tools/check tools/check_layers tools/lib/*.sh)
  for script in "${scripts[@]}"; do bash -n "$script" || return 1; done
  if command -v shellcheck >/dev/null; then shellcheck -x run test .ci/run tools/check tools/check_layers; fi
}

gate_headers() { build_targets build td_headers; }

# A test that no target compiles protects nothing.
gate_tests_are_built() {
  local file missing=0
  while IFS= read -r file; do
    if ! grep -q "\"file\": \".*/$file\"" build/compile_commands.json; then
      echo "$file: in no target"
      missing=1
    fi
  done < <(find src native apps tests -name '*_test.cc' ! -path 'apps/wasm/*' | sort)
  while IFS= read -r file; do
    echo "$file: neither under web/src nor under tests/e2e, so no runner finds it"
    missing=1
  done < <(git ls-files '*_test.ts' '*_test.tsx' | grep -vE '^(web/src|tests/e2e)/' || true)
  return $missing
}

gate_readmes() {
  local folder missing=0
  while IFS= read -r folder; do
    if [[ ! -f $folder/README.md ]]; then
      echo "$folder: holds code but no README.md"
      missing=1
    fi
  done < <(git ls-files 'src/*' 'native/*' 'apps/*' 'web/src/*' 'tests/*' 'fuzz/*' 'bench/*' 'tools/*' |
    grep -E '\.(cc|h|ts|tsx|mjs|css|sh)$' | xargs -r -n 1 dirname | sort -u)
  return $missing
}

# Links of the pages lead somewhere, and the commands that they mark to be run do run.
gate_docs() { node tools/lib/check_docs.mjs . "$PWD/build"; }

# 600 drills, drawn for this alone, are solvable, not guessable and lifelike (tests/gates/README.md).
gate_fresh_drills() { build/tests/td_gates; }

quick_gates() {
  step "gate: layers" gate_layers
  step "gate: tools' own tests" gate_tools_tests
  step "gate: scripts" gate_shell
  step "gate: format" gate_format
  step "gate: headers alone" gate_headers
  step "gate: tests are built" gate_tests_are_built
  step "gate: a README a folder" gate_readmes
}
