# `./dev demo`, sourced by dev: from nothing to a checked answer, and to the CUDA behind it.
# shellcheck shell=bash disable=SC2154  # build comes from dev

steps=6
sssp=dsl-examples/03-sssp.vg
real_graph=tests/graphs/real.gr
demo=$build/demo

begin=$SECONDS
echo 'Vertigo: shortest paths from ten lines of source to a checked answer.'

step 'Packages'
install_missing
note 'everything that is needed is installed'

step 'Build the compiler and the runtime (some minutes the first time, seconds after that)'
build_targets tools
note "programs: $build/bin/vertigo, vertigo-graph, vertigo-opt"

step "Compile $sssp"
mkdir -p "$demo"
if have_gpu && have_nvcc; then
  target=auto
  note 'for the GPU of this machine, and for its CPU'
else
  target=cpu
  have_gpu || note 'there is no GPU here: compiled for the CPU (OpenMP); the same program runs on both'
  ! have_gpu || note 'there is a GPU but no nvcc: compiled for the CPU; with a CUDA Toolkit it runs on the GPU'
fi
"$build/bin/vertigo" "$sssp" --target="$target" -o "$demo/sssp" ||
  fail 'the compiler could not make the program' 'the message above says why; ./dev build, then try again'
"$build/bin/vertigo" "$sssp" --emit=cuda -o "$demo/sssp.cu" ||
  fail 'the compiler could not write the CUDA' 'the message above says why'
note "made $demo/sssp"

# run_checked GRAPH SOURCE: runs, and checks the answer by code that the compiler did not write.
run_checked() {
  note "$ $demo/sssp $1 --source $2 --check --output $demo/distances.txt"
  "$demo/sssp" "$1" --source "$2" --check --output "$demo/distances.txt" 2>&1 | sed 's/^/      /' ||
    fail "the run on $1 failed" 'exit codes and messages are explained in docs/running.md'
}

step 'Run it on a road network of a million vertices, and check the answer'
[ -s "$demo/road.gr" ] || "$build/bin/vertigo-graph" generate road 1000 1000 --output "$demo/road.gr" ||
  fail 'the road network could not be generated' 'is the disk full?'
run_checked "$demo/road.gr" 1

step 'Run it on a real graph, and check the answer'
run_checked "$real_graph" 1

step "The CUDA that does it: $demo/sssp.cu"
note 'its first kernel:'
awk '/__global__/ { on = 1 } on { print "      | " $0 } on && /^}/ { exit }' "$demo/sssp.cu"

printf '\nDone in %d s. Next:\n' $((SECONDS - begin))
note "$demo/sssp --help                         what the program you just made can do"
note "$build/bin/vertigo $sssp --explain   every decision of the compiler, and how to overrule it"
note 'docs/tour.md                                  from the source to the kernels in one sitting'
