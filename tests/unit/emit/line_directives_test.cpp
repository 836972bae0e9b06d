#include <gtest/gtest.h>

#include "compiler/emit/common/LineDirectives.h"
#include "compiler/emit/common/UserText.h"
#include "compiler/emit/common/Writer.h"

namespace vertigo::compiler::emit {
namespace {

TEST(HoldLines, EveryLineOfAStatementIsToldItsPlace) {
  EXPECT_EQ(hold_lines("#line 7 \"x.vg\"\n"
                       "f(a,\n"
                       "  b);\n"
                       "#line 9 \"x.cpp\"\n"
                       "g();\n"
                       "h();\n",
                       "x.cpp"),
            "#line 7 \"x.vg\"\n"
            "f(a,\n"
            "#line 7\n"
            "  b);\n"
            "#line 6 \"x.cpp\"\n"
            "g();\n"
            "h();\n");
}

TEST(HoldLines, AnotherStatementOfTheProgramNeedsNoName) {
  EXPECT_EQ(hold_lines("#line 7 \"x.vg\"\nf();\n#line 8 \"x.vg\"\ng();\n", "x.cpp"),
            "#line 7 \"x.vg\"\nf();\n#line 8\ng();\n");
}

TEST(HoldLines, WhatMakesNoCodeNeedsNoPlace) {
  EXPECT_EQ(hold_lines("#line 7 \"x.vg\"\nf();\n\n  // why\n", "x.cpp"),
            "#line 7 \"x.vg\"\nf();\n\n  // why\n");
}

TEST(HoldLines, LiteralsStayAsTheyAre) {
  const std::string text =
      "#line 7 \"x.vg\"\nf(R\"vertigo(\n#line 3 \"x.cpp\"\nb\n)vertigo\" R\"vertigo()vertigo\"\n";
  EXPECT_EQ(hold_lines(text, "x.cpp"), text);
}

TEST(HoldLines, ACommentBeginsNoLiteral) {
  EXPECT_EQ(hold_lines("// R\"vertigo(\n#line 5 \"x.cpp\"\ng();\n", "x.cpp"),
            "// R\"vertigo(\n#line 3 \"x.cpp\"\ng();\n");
}

TEST(HoldLines, ASecondTimeNothingChanges) {
  const std::string once = hold_lines(
      "#line 7 \"x.vg\"\nf(a,\n  b,\n  c);\n#line 8 \"x.vg\"\ng();\n#line 1 \"x.cpp\"\nh();\n",
      "x.cpp");
  EXPECT_EQ(hold_lines(once, "x.cpp"), once);
}

TEST(HoldLines, NamesMayHoldAnything) {
  const std::string name = "a \"b\\\n.vg";
  EXPECT_EQ(hold_lines(line_directive(1, name) + "g();\n", name),
            "#line 2 " + quoted_file(name) + "\ng();\n");
}

TEST(QuotedFile, HoldsNoQuoteForPtxas) { EXPECT_EQ(quoted_file("a\"b"), "\"a'b\""); }

TEST(Origin, WhatHasNoPlaceComesFromWhatStandsAroundIt) {
  Writer out("x.vg", "x.cpp");
  out.open("for (;;)");
  {
    const Origin loop(out, {7, 1});
    out.open("if (a)");
    {
      const Origin inner(out, {8, 1});
      out.line("b();");
    }
    {
      const Origin unknown(out, {});
      out.line("c();");
    }
    out.close();
  }
  out.close();
  EXPECT_EQ(out.take(),
            "for (;;) {\n"
            "#line 7 \"x.vg\"\n"
            "  if (a) {\n"
            "#line 8 \"x.vg\"\n"
            "    b();\n"
            "#line 7 \"x.vg\"\n"
            "    c();\n"
            "  }\n"
            "#line 10 \"x.cpp\"\n"
            "}\n");
}

TEST(Origin, WithoutANameOfTheProgramNothingIsSaid) {
  Writer out("", "x.cpp");
  const Origin origin(out, {7, 1});
  out.line("b();");
  EXPECT_EQ(out.take(), "b();\n");
}

}  // namespace
}  // namespace vertigo::compiler::emit
