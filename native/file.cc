#include "native/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace td::native {
namespace {

std::unexpected<Error> system_error(const std::string& what, const std::string& path) {
  const int number = errno;
  const ErrorCode code = number == ENOENT || number == ENOTDIR ? ErrorCode::not_found : ErrorCode::io;
  return fail(code, what + ": " + std::strerror(number), path);
}

}  // namespace

Result<std::unique_ptr<FileSource>> FileSource::open(const std::string& path) {
  if (path == "-") return std::unique_ptr<FileSource>(new FileSource(dup(STDIN_FILENO), "standard input", -1));
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return system_error("cannot open the file", path);
  struct stat status{};
  if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    close(descriptor);
    return fail(ErrorCode::io, "this is a folder, expected a file", path);
  }
  const int64_t size_bytes = S_ISREG(status.st_mode) ? static_cast<int64_t>(status.st_size) : -1;
  return std::unique_ptr<FileSource>(new FileSource(descriptor, path, size_bytes));
}

FileSource::~FileSource() { close(descriptor_); }

Result<size_t> FileSource::read(std::span<char> into) {
  while (true) {
    const ssize_t count = ::read(descriptor_, into.data(), into.size());
    if (count >= 0) return static_cast<size_t>(count);
    if (errno != EINTR) return system_error("cannot read", path_);
  }
}

Result<Database*> FileSource::database() {
  if (!database_ && size_bytes_ >= 0) database_ = TRY(SqliteDatabase::open_file(path_));
  return database_.get();
}

Result<std::unique_ptr<FileSink>> FileSink::create(const std::string& path) {
  if (path == "-") return std::unique_ptr<FileSink>(new FileSink(dup(STDOUT_FILENO), "standard output", ""));
  std::string temporary = path + ".XXXXXX";
  const int descriptor = mkstemp(temporary.data());
  if (descriptor < 0) return system_error("cannot create the file", path);
  // mkstemp gives 0600; the target gets what any new file would.
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(descriptor, 0666 & ~mask);
  return std::unique_ptr<FileSink>(new FileSink(descriptor, path, std::move(temporary)));
}

FileSink::~FileSink() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

Status FileSink::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error("cannot write", path_);
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return {};
}

Status FileSink::finish() {
  if (descriptor_ < 0) {  // again: what is in place is in place
    return temporary_.empty() ? Status{} : fail(ErrorCode::io, "the file was not put in place", path_);
  }
  const int closed = close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) return system_error("cannot write", path_);
  if (temporary_.empty()) return {};
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) return system_error("cannot put the file in place", path_);
  temporary_.clear();
  return {};
}

}  // namespace td::native
