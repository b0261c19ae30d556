// Who may talk to the server. A web page from anywhere can make a browser send requests to 127.0.0.1, and can point a
// name of its own at it (DNS rebinding); the Host and Origin headers tell such requests apart from those of our own
// page.
#pragma once

#include <string>
#include <string_view>

namespace td::app::http {

class Access {
 public:
  // host: what the server is bound to ("127.0.0.1", "box.lan", "0.0.0.0"). extra_name: a further name of this machine
  // that is accepted when every interface is bound; may be empty.
  Access(std::string_view host, int port, std::string_view extra_name = {});

  // True for 127.0.0.1, localhost and [::1] with our port, and for the bound host. Bound to every interface: for any
  // address literal (which no rebinding can fake) and `extra_name`.
  [[nodiscard]] bool host_allowed(std::string_view host_header) const;

  // True if no Origin was sent, or it is the page that this server gave out under that Host.
  [[nodiscard]] static bool origin_allowed(std::string_view origin, std::string_view host_header);

 private:
  std::string host_;
  std::string extra_name_;
  int port_;
};

// Whether only this machine can reach a server bound to `host`: localhost, 127.x.x.x, ::1.
bool is_loopback(std::string_view host);

// Whether `host` means every interface: 0.0.0.0 or ::.
bool is_any_address(std::string_view host);

// `host` as it stands in a URL: an IPv6 address gets its brackets.
std::string url_host(std::string_view host);

}  // namespace td::app::http
