#!/bin/sh
# Starts the driver: one scheduler at work (storms wake a second one), no busy waiting, nothing of the logger on standard output.
set -eu
elixir_home=$(dirname "$(dirname "$(readlink -f "$(command -v elixir)")")")
exec erl -noinput -boot start_clean \
  +S 2:1 +SDcpu 1:1 +SDio 1 +A 1 +sbwt none +sbwtdcpu none +sbwtdio none +MIscs 64 \
  -kernel logger '[{handler,default,undefined}]' -kernel inetrc '"/dev/null"' \
  -pa "$elixir_home/lib/elixir/ebin" /opt/built -s Elixir.AssayDriver start
