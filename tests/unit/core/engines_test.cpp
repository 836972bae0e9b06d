// What every reader of a contract takes for granted.
#include "vertigo/engines/engines.h"

#include <gtest/gtest.h>

#include <string>

namespace vertigo::engines {
namespace {

TEST(Engines, AreFoundByTheirNames) {
  for (const Contract& contract : kContracts) EXPECT_EQ(find(contract.name), &contract);
  EXPECT_EQ(find("sync-push-data"), nullptr);
  EXPECT_EQ(find(""), nullptr);
}

TEST(Engines, SayWhatTheyDoNeedAndWhy) {
  for (const Contract& contract : kContracts) {
    const std::string name(contract.name);
    EXPECT_FALSE(contract.summary.empty()) << name;
    EXPECT_FALSE(contract.needs.empty()) << name;
    EXPECT_FALSE(contract.why.empty()) << name;
    EXPECT_FALSE(contract.forms[0].name.empty()) << name;
  }
}

TEST(Engines, MeasureWhatTheyPrepare) {
  for (const Contract& contract : kContracts) {
    const bool prepares = !contract.preparation.what.empty();
    EXPECT_EQ(contract.preparation.cost > 0, prepares) << contract.name;
    EXPECT_EQ(contract.preparation.saved > 0, prepares) << contract.name;
  }
}

TEST(Engines, AreLeftByAValueOfTheirKey) {
  for (const Contract& contract : kContracts) {
    const Choice& choice = contract.choice;
    EXPECT_EQ(choice.key.empty(), choice.left.empty()) << contract.name;
    if (!choice.key.empty()) EXPECT_EQ(find_chosen_by(choice.key), &contract);
  }
}

TEST(Engines, HaveMoreThanOneFormWhereTheDiameterChooses) {
  for (const Contract& contract : kContracts)
    if (contract.forms_by_diameter) EXPECT_FALSE(contract.forms[1].name.empty()) << contract.name;
}

}  // namespace
}  // namespace vertigo::engines
