// A path as a Source, unpacked where it is packed.
#pragma once

#include <memory>
#include <string>

#include "base/io.h"

namespace td::native {

// The file's bytes; gzip is told by its first bytes, whatever the file is called, and unpacked. Errors as
// FileSource::open.
Result<std::unique_ptr<Source>> open_source(const std::string& path);

}  // namespace td::native
