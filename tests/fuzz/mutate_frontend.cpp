// Mutated programs through parser, checker, lowering, all passes and both emitters.
//
//   mutate_frontend --inputs 10000000 --jobs 64 --dictionary tests/fuzz/frontend.dict \
//     tests/fuzz/corpus/frontend dsl-examples/*/*.vg

#include "tests/fuzz/frontend_input.h"
#include "tests/fuzz/mutation_run.h"

int main(int argc, char** argv) {
  return vertigo::fuzz::run_mutations(argc, argv, vertigo::fuzz::try_frontend);
}
