// One step of a drill as an SVG picture: host, launch, GPU and NCCL rows of rank 0 and of the rank that matters, with
// the truth's evidence marked by its letters. For pages that show a cause; the colours follow the reader's light or
// dark.
#pragma once

#include <string>

#include "drill/drill.h"

namespace td::report {

// A whole SVG document, under 60 kB whatever the step holds. A column of the picture is shaded by the share of its time
// that is covered, in four levels, so that many short kernels look lighter than one long one. The same drill gives the
// same bytes. Empty without a step.
std::string step_picture(const drill::Generated& generated);

}  // namespace td::report
