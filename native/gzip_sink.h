// Packs what is written, as gzip.
#pragma once

#include <zlib.h>

#include <memory>
#include <vector>

#include "base/io.h"

namespace td::native {

class GzipSink final : public Sink {
 public:
  explicit GzipSink(std::unique_ptr<Sink> packed);
  ~GzipSink() override;
  GzipSink(const GzipSink&) = delete;
  GzipSink& operator=(const GzipSink&) = delete;

  // Errors as those of the packed sink.
  Status write(std::string_view bytes) override;
  Status finish() override;

 private:
  Status pack(int flush);

  std::unique_ptr<Sink> packed_;
  std::vector<char> output_;
  z_stream stream_{};
};

}  // namespace td::native
