#include "compiler/emit/common/Names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vertigo::compiler::emit {
namespace {

// All words of up to `longest` of these letters.
std::vector<std::string> words(std::size_t longest) {
  std::vector<std::string> all = {""};
  for (std::size_t from = 0, length = 1; length <= longest; ++length)
    for (const std::size_t end = all.size(); from < end; ++from)
      for (const char letter : {'a', 'u', '_'}) all.push_back(all[from] + letter);
  all.erase(all.begin());
  return all;
}

plan::Plan with_state(const std::string& name) {
  plan::Plan plan;
  ir::State state;
  state.name = name;
  plan.program.states.push_back(std::move(state));
  return plan;
}

TEST(FreeName, IsNoNameOfTheProgramAndElseTheOneThatWasWanted) {
  const std::vector<std::string> names = words(5);
  for (const std::string& declared : names) {
    const plan::Plan plan = with_state(declared);
    const std::string taken = cpp_name(declared);
    for (const std::string& wanted : names)
      ASSERT_EQ(free_name(plan, wanted), wanted == taken ? wanted + "_" : wanted)
          << "in a program with " << declared;
  }
}

TEST(FreeName, EvadesWordsOfCpp) {
  const plan::Plan plan = with_state("int");
  EXPECT_EQ(cpp_name("int"), "int_");
  EXPECT_EQ(free_name(plan, "int_"), "int__");
}

TEST(FreeName, OfManyUnderscoresIsFoundWithoutTryingWhatEachWas) {
  std::string wanted = "a";
  for (int i = 0; i < 64; ++i) wanted += "_u";
  EXPECT_EQ(free_name(with_state("b"), wanted), wanted + "_");
}

}  // namespace
}  // namespace vertigo::compiler::emit
