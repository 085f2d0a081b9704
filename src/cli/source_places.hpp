// Places of a run's own locks in the user's sources, for reports that are shown beside a change. A run stores them in
// its environment.json, so that `report` names the same files in any folder.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "artifact/run_verdict.hpp"
#include "artifact/source_place.hpp"

namespace holdfast {

// Relative to the top of the sources: GITHUB_WORKSPACE, CI_PROJECT_DIR or WORKSPACE of a build server, else the working
// directory. Without locks whose file is elsewhere.
SourcePlaces sources_of(const RunVerdict&);

// Adds places to a run's environment, and reads them; a run's folder is not trusted, so wrong ones are ignored.
void store_sources(const SourcePlaces&, nlohmann::json& environment);
SourcePlaces stored_sources(const nlohmann::json& environment);

}  // namespace holdfast
