# Debian and Ubuntu packages by purpose, and their installation. Sourced by ./run and ./test.
# shellcheck shell=bash

# What the trainer itself needs. Node and npm are added only where the commands are missing: other packagings of Node
# bring npm with them and conflict with Debian's.
packages_run=(ca-certificates g++ cmake ninja-build zlib1g-dev libsqlite3-dev libcli11-dev libcpp-httplib-dev)
packages_test=(libgtest-dev libgmock-dev librapidcheck-dev nlohmann-json3-dev clang-format-19)
packages_full=(clang-19 lld-19 clang-tidy-19 libclang-rt-19-dev wasi-libc libc++-19-dev-wasm32 libclang-rt-19-dev-wasm32)

# Ubuntu has Chromium as a snap only, which headless tests cannot drive.
chromium_is_a_package() {
  ! grep -qs '^ID=ubuntu' /etc/os-release
}

# Prints what must be installed for run, test or full, one package a line; nothing if all is there.
missing_packages() {
  local -a wanted=("${packages_run[@]}")
  command -v node >/dev/null || wanted+=(nodejs)
  command -v npm >/dev/null || wanted+=(npm)
  if [[ $1 != run ]]; then
    wanted+=("${packages_test[@]}")
    if chromium_is_a_package && ! command -v chromium >/dev/null; then wanted+=(chromium); fi
  fi
  if [[ $1 == full ]]; then wanted+=("${packages_full[@]}"); fi
  # One dpkg-query for all: a line "name installed" for each that is there.
  local installed
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null || true)
  local package
  for package in "${wanted[@]}"; do
    grep -qx "$package installed" <<<"$installed" || echo "$package"
  done
}

# Runs apt-get as root, its output in the log; a line that counts packages where somebody watches.
apt_get() {
  local -a as_root=()
  if [[ $EUID -ne 0 ]]; then as_root=(sudo); fi
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 \
    -o APT::Update::Error-Mode=any -o Acquire::Retries=3 "$@" 2>&1 |
    tee -a "$log_dir/apt.log" |
    if [[ -t 1 ]]; then
      awk '/^Unpacking/ {printf "\r  %d unpacked  ", ++u} /^Setting up/ {printf "\r  %d set up  ", ++s} END {printf "\r"}'
    else
      cat >/dev/null
    fi
}

# Installs what is missing for run, test or full. Fails with one message that names the packages.
install_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "this is neither Debian nor Ubuntu: the build needs the equivalents of ${packages_run[*]} nodejs npm"
    return 0
  fi
  local -a missing
  mapfile -t missing < <(missing_packages "$1")
  if [[ ${#missing[@]} -eq 0 ]]; then return 0; fi
  local by_hand="apt-get install ${missing[*]}"
  if [[ $EUID -ne 0 ]] && ! command -v sudo >/dev/null; then
    die "${#missing[@]} packages are missing and this is not root, nor is there sudo. As root: $by_hand"
  fi
  say "installing ${#missing[@]} packages: ${missing[*]}"
  : >"$log_dir/apt.log"
  apt_get update || die "apt-get update failed (is there a network?): $(tail -n 1 "$log_dir/apt.log") - whole log: $log_dir/apt.log - by hand: $by_hand"
  apt_get install -y --no-install-recommends "${missing[@]}" ||
    die "apt-get install failed: $(tail -n 1 "$log_dir/apt.log") - whole log: $log_dir/apt.log - by hand: $by_hand"
}
