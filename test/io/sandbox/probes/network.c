/* network <tcp port> <abstract name> <socket path> <address>: reaches for anything outside of the sandbox. */
#include "probe.h"
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

static void dial(const char *address, int port, int type) {
  struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
  inet_pton(AF_INET, address, &there.sin_addr);
  int line = socket(AF_INET, type, 0);
  if (line < 0) return;
  struct timeval patience = {.tv_sec = 1};
  setsockopt(line, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  if (connect(line, (struct sockaddr *)&there, sizeof there) == 0 && send(line, "x", 1, MSG_NOSIGNAL) == 1)
    leak(type == SOCK_STREAM ? "TCP to" : "UDP to", address);
  close(line);
}

static void call(const char *name, int abstract) {
  struct sockaddr_un there = {.sun_family = AF_UNIX};
  strncpy(there.sun_path + abstract, name, sizeof there.sun_path - 2);
  int line = socket(AF_UNIX, SOCK_STREAM, 0);
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name) + 1);
  if (connect(line, (struct sockaddr *)&there, size) == 0) leak("unix socket", name);
  close(line);
}

int main(int count, char **arguments) {
  (void)count;
  alarm(LIFETIME);
  dial("127.0.0.1", atoi(arguments[1]), SOCK_STREAM);
  dial(arguments[4], atoi(arguments[1]), SOCK_STREAM);
  dial("192.0.2.1", 80, SOCK_STREAM);
  dial("1.1.1.1", 53, SOCK_DGRAM);
  dial("169.254.169.254", 80, SOCK_STREAM);
  call(arguments[2], 1);
  call(arguments[3], 0);
  call("/run/docker.sock", 0);
  call("/var/run/dbus/system_bus_socket", 0);
  struct addrinfo *found;
  if (getaddrinfo("example.com", "80", NULL, &found) == 0) leak("DNS", "answered");
  refused("AF_VSOCK", socket(40, SOCK_STREAM, 0));
  refused("AF_PACKET", socket(AF_PACKET, SOCK_RAW, 0));
  refused("AF_NETLINK", socket(AF_NETLINK, SOCK_RAW, 0));
  refused("AF_ALG", socket(38, SOCK_SEQPACKET, 0));
  refused("raw IP", socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
  return CAME_TO_ITS_END;
}
