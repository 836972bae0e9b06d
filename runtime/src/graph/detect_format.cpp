// Which format a source has, and in which files it lies.

#include <algorithm>
#include <iterator>
#include <utility>

#include "readers.h"
#include "recognise.h"
#include "vertigo/core/error.h"

namespace vertigo::graph {

void detect_format(ReadContext& context) {
  IntakeReport& report = context.report;
  const ReadOptions& options = context.options;
  const bool pair_wanted = !options.format || *options.format == Format::Graphalytics;
  if (const auto pair = pair_wanted ? find_graphalytics_pair(report.path) : std::nullopt) {
    report.format = Format::Graphalytics;
    report.files = {pair->vertices, pair->edges};
    report.format_evidence = options.format ? "--format" : "a .v and an .e file of the same name";
    return;
  }
  report.files = {report.path};
  if (options.format) {
    if (*options.format == Format::Graphalytics) {
      throw Error(ExitCode::InputRefused, "expected NAME.v and NAME.e, of which one is missing",
                  report.path);
    }
    report.format = *options.format;
    report.format_evidence = "--format";
    report.compression = InputStream::open(report.path)->compression();
    return;
  }
  const auto stream = InputStream::open(report.path);
  report.compression = stream->compression();
  Detection found = recognise(report.path, Sample(*stream));
  report.format = found.format;
  report.format_evidence = std::move(found.evidence);
  std::move(found.notes.begin(), found.notes.end(), std::back_inserter(report.notes));
}

}  // namespace vertigo::graph
