#include "tracedrills/http/access.h"

#include <arpa/inet.h>

#include <algorithm>

namespace td::app::http {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

bool is_ipv4(const std::string& text) {
  in_addr address{};
  return ::inet_pton(AF_INET, text.c_str(), &address) == 1;
}

bool is_ipv6(const std::string& text) {
  in6_addr address{};
  return ::inet_pton(AF_INET6, text.c_str(), &address) == 1;
}

// "name:8420" -> "name" if the port is ours; a header without a port means 80. Empty if it is another port.
std::string name_on_port(std::string_view header, int port) {
  const std::string suffix = ":" + std::to_string(port);
  if (header.ends_with(suffix)) return lower(header.substr(0, header.size() - suffix.size()));
  const bool has_port = header.find(':') != std::string_view::npos && !header.ends_with(']');
  return port == 80 && !has_port ? lower(header) : std::string();
}

}  // namespace

Access::Access(std::string_view host, int port, std::string_view extra_name)
    : host_(lower(host)), extra_name_(lower(extra_name)), port_(port) {}

bool Access::host_allowed(std::string_view host_header) const {
  const std::string name = name_on_port(host_header, port_);
  if (name.empty()) return false;
  if (name == "127.0.0.1" || name == "localhost" || name == "[::1]") return true;
  if (!is_any_address(host_)) return name == url_host(host_);
  if (!extra_name_.empty() && name == extra_name_) return true;
  const bool bracketed = name.size() > 2 && name.front() == '[' && name.back() == ']';
  return bracketed ? is_ipv6(name.substr(1, name.size() - 2)) : is_ipv4(name);
}

bool Access::origin_allowed(std::string_view origin, std::string_view host_header) {
  return origin.empty() || lower(origin) == "http://" + lower(host_header);
}

bool is_loopback(std::string_view host) {
  const std::string name = lower(host);
  if (name == "localhost" || name == "::1") return true;
  return is_ipv4(name) && name.starts_with("127.");
}

bool is_any_address(std::string_view host) { return host == "0.0.0.0" || host == "::"; }

std::string url_host(std::string_view host) {
  const std::string name(host);
  return is_ipv6(name) ? "[" + name + "]" : name;
}

}  // namespace td::app::http
