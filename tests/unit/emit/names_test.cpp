#include "compiler/emit/common/Names.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/emit/common/TypeNames.h"

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

TEST(CppName, IsAnotherOneForEachName) {
  std::vector<std::string> names = words(7);
  for (const char* each : {"u_0", "u_0a", "_a", "int", "int_", "int_u", "EOF", "EOF_", "_EOF", "E",
                           "random_unit", "random_nit", "edge_", "graph", "graph_", "a_own_"})
    names.emplace_back(each);
  std::map<std::string, std::string> made;
  for (const std::string& name : names) {
    const std::string cpp = cpp_name(name);
    EXPECT_EQ(cpp.find("__"), std::string::npos) << name;
    EXPECT_FALSE(cpp.starts_with('_')) << name;
    EXPECT_EQ(made.try_emplace(cpp, name).first->second, name) << cpp;
  }
}

TEST(CppName, IsTheOneThatThePlainNameIs) {
  for (const char* each : {"a", "a_u", "a_u_u", "u_0", "uu_a", "a_own", "main_2"})
    EXPECT_EQ(cpp_name(each), each);
  EXPECT_EQ(cpp_name("a_"), "a_u_");
  EXPECT_EQ(cpp_name("a__"), "a_u_u_");
  EXPECT_EQ(cpp_name("_a"), "u_0a_");
  EXPECT_EQ(cpp_name("for"), "for_");
}

TEST(FreeName, IsNoNameOfTheProgramAndElseTheOneThatWasWanted) {
  const std::vector<std::string> names = words(5);
  for (const std::string& declared : names) {
    const plan::Plan plan = with_state(declared);
    const std::string taken = cpp_name(declared);
    for (const std::string& wanted : names) {
      const std::string free = free_name(plan, wanted);
      if (cpp_name(wanted) == wanted) {
        ASSERT_EQ(free == wanted, wanted != declared) << wanted << " beside " << declared;
      }
      ASSERT_NE(free, taken) << wanted << " beside " << declared;
      ASSERT_EQ(free.find("__"), std::string::npos);
    }
  }
}

TEST(FreeName, EvadesWordsOfCpp) {
  const plan::Plan plan = with_state("int");
  EXPECT_EQ(cpp_name("int"), "int_");
  EXPECT_EQ(free_name(plan, "int"), "int_own_");
  EXPECT_EQ(free_name(plan, "int_"), "int_own_");
  EXPECT_EQ(free_name(plan, "EOF_"), "EOF_");
}

TEST(TypeOfPhase, IsAnotherOneForEachPhase) {
  plan::Plan plan;
  // The last is what the one before it could be called after its place, 15.
  const std::vector<std::string> names = {"ab_c", "main",  "main_2", "main2", "a_b",      "aB",
                                          "a_b_", "AB",    "a__b",   "p_1_2", "p_12",     "p12",
                                          "p1_2", "wave1", "x",      "X",     "x_phase15"};
  for (const std::string& name : names) {
    ir::Phase phase;
    phase.name = name;
    plan.program.phases.push_back(std::move(phase));
  }
  std::set<std::string> types;
  for (const std::string& name : names)
    EXPECT_TRUE(types.insert(type_of_phase(plan, name)).second) << name;
  EXPECT_EQ(type_of_phase(plan, "main_2"), "Main2");
  EXPECT_EQ(type_of_phase(plan, "ab_c"), "AbC");
  EXPECT_EQ(type_of_phase(plan, "wave1"), "Wave1");
}

}  // namespace
}  // namespace vertigo::compiler::emit
