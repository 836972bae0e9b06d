#!/usr/bin/env bash
# cudart.sh NVCC: the file of the toolkit's CUDA runtime, the shared one (libcudart.so.13) where there is one, else the static
# one. nvcc itself is asked where its toolkit lies: what stands on the PATH may be a wrapper or a copy elsewhere.
set -euo pipefail

said=$("$1" --dryrun -x cu /dev/null 2>&1 || true)
libraries=$(sed -n 's/^#\$ LIBRARIES=//p' <<< "$said" | grep -o '"-L[^"]*"' | sed 's/^"-L//; s/"$//' || true)
# Where it does not say, the usual places.
libraries+=$'\n'"$(dirname "$(readlink -f "$(command -v "$1")")")/../lib64"$'\n'/usr/local/cuda/lib64$'\n'/usr/lib/$(uname -m)-linux-gnu
for name in 'libcudart.so.*' libcudart_static.a; do
  while IFS= read -r folder; do
    file=$(find -L "$folder" -maxdepth 1 -name "$name" 2> /dev/null | sort | head -n 1 || true)
    if [ -n "$file" ]; then
      readlink -f "$(dirname "$file")" | sed "s|\$|/$(basename "$file")|"
      exit 0
    fi
  done <<< "$libraries"
done
echo "cudart.sh: no CUDA runtime in the folders that $1 names: $libraries" >&2
exit 1
