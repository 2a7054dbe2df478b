#!/bin/sh
# Installs code-server, VS Code in a browser, for test/lsp/vscode.py.
#
# Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   install-code-server.sh FOLDER
#
# Needs npm and its registry, a C++ compiler, make and Python. Later versions
# take dependencies from other places than the registry. Its own installation
# step downloads programs, which the test does not need: only the modules that
# the server loads are compiled. Start it with FOLDER/code-server.
set -e
version=4.90.3
mkdir -p "$1"
cd "$1"
npm pack --silent "code-server@$version"
tar xzf "code-server-$version.tgz"
cd package
options="--omit=dev --ignore-scripts --no-audit --no-fund"
npm ci $options
npm rebuild --build-from-source argon2
cd lib/vscode
npm install --legacy-peer-deps $options
npm rebuild --legacy-peer-deps node-pty native-watchdog @vscode/spdlog
cd ../../..
printf '#!/bin/sh\nexec node "%s/package/out/node/entry.js" "$@"\n' "$PWD" > code-server
chmod +x code-server
