/*
 * The way out of a sandbox without a network: listens on the sandbox's own loopback and passes every connection on to the one
 * Unix socket that leads outside. It holds no rules: these are kept at the other end.
 *
 *   egress-relay --listen 127.0.0.1:PORT --socket PATH -- program arguments...
 *
 * It forks: the child relays, the parent becomes the program, which finds the child's number in REINS_RELAY. The child ends with
 * the PID namespace that it was started in. What can't be set up ends it with status 126 before the program starts.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

/* Connections at once; further ones wait until one of these is over. */
#define MOST 100
#define ROOM 16384

/* Bytes on their way from one end to the other. */
struct half {
  char bytes[ROOM];
  size_t from, to;
  int ended;  /* nothing more can be read */
  int closed; /* and that was passed on */
};

struct pair {
  int end[2]; /* the client inside, the socket outside; -1 in the first: free */
  struct half way[2]; /* what was read from that end */
};

static struct pair *pairs[MOST];
static int used;

static void fail(const char *what) {
  fprintf(stderr, "egress-relay: %s: %s\n", what, strerror(errno));
  exit(126);
}

static int outside(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strcpy(address.sun_path, path);
  int end = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (end < 0) return -1;
  if (connect(end, (struct sockaddr *)&address, sizeof address) != 0) {
    close(end);
    return -1;
  }
  fcntl(end, F_SETFL, O_NONBLOCK);
  return end;
}

static void take(int listener, const char *path) {
  int client = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (client < 0) return;
  int one = 1;
  setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  struct pair *made = malloc(sizeof *made);
  int end = made == NULL ? -1 : outside(path);
  if (end < 0) {
    free(made);
    close(client);
    return;
  }
  memset(made, 0, sizeof *made);
  made->end[0] = client;
  made->end[1] = end;
  pairs[used++] = made;
}

static void drop(int index) {
  close(pairs[index]->end[0]);
  close(pairs[index]->end[1]);
  free(pairs[index]);
  pairs[index] = pairs[--used];
}

static int passing(void) { return errno == EAGAIN || errno == EINTR; }

/* Moves what can be moved in one direction; -1 when the connection is broken. */
static int move(struct pair *pair, int side) {
  struct half *way = &pair->way[side];
  if (!way->ended && way->to == 0) {
    ssize_t count = read(pair->end[side], way->bytes, ROOM);
    if (count == 0) way->ended = 1;
    else if (count > 0) way->to = (size_t)count;
    else if (!passing()) return -1;
  }
  while (way->from < way->to) {
    ssize_t count = send(pair->end[1 - side], way->bytes + way->from, way->to - way->from, MSG_NOSIGNAL);
    if (count < 0) return passing() ? 0 : -1;
    way->from += (size_t)count;
  }
  way->from = way->to = 0;
  if (way->ended && !way->closed) {
    way->closed = 1;
    shutdown(pair->end[1 - side], SHUT_WR);
  }
  return 0;
}

static short wanted(const struct pair *pair, int side) {
  short events = 0;
  if (!pair->way[side].ended && pair->way[side].to == 0) events |= POLLIN;
  if (pair->way[1 - side].to > 0) events |= POLLOUT;
  return events;
}

static void serve(int listener, const char *path) {
  static struct pollfd watched[1 + 2 * MOST];
  for (;;) {
    watched[0] = (struct pollfd){.fd = used < MOST ? listener : -1, .events = POLLIN};
    for (int index = 0; index < used; index++)
      for (int side = 0; side < 2; side++) {
        short events = wanted(pairs[index], side);
        /* An end of which nothing is wanted would only report again and again that it is closed. */
        watched[1 + 2 * index + side] = (struct pollfd){.fd = events == 0 ? -1 : pairs[index]->end[side], .events = events};
      }
    if (poll(watched, (nfds_t)(1 + 2 * used), -1) < 0 && errno != EINTR) _exit(1);
    for (int index = used - 1; index >= 0; index--) {
      if (watched[1 + 2 * index].revents == 0 && watched[2 + 2 * index].revents == 0) continue;
      struct pair *pair = pairs[index];
      int broken = move(pair, 0) != 0 || move(pair, 1) != 0;
      if (broken || (pair->way[0].closed && pair->way[1].closed)) drop(index);
    }
    if (watched[0].revents != 0) take(listener, path);
  }
}

/* Nothing of the command's input, output and channels is for the relay: whoever waits for their end would wait for it. */
static void let_go(int listener) {
  int nothing = open("/dev/null", O_RDWR);
  for (int one = 0; one < 3; one++) dup2(nothing, one);
  if (listener != 3) dup2(listener, 3);
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 4u, ~0u, 0u) == 0) return;
#endif
  for (int one = 4; one < 1024; one++) close(one);
}

static int listen_at(const char *text) {
  char host[64];
  const char *colon = strrchr(text, ':');
  if (colon == NULL || (size_t)(colon - text) >= sizeof host) fail(text);
  memcpy(host, text, (size_t)(colon - text));
  host[colon - text] = 0;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(colon + 1))};
  if (inet_pton(AF_INET, host, &address.sin_addr) != 1) fail(text);
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) fail("socket");
  int one = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0) fail("bind");
  if (listen(listener, 512) != 0) fail("listen");
  fcntl(listener, F_SETFL, O_NONBLOCK);
  return listener;
}

int main(int count, char **words) {
  if (count < 7 || strcmp(words[1], "--listen") != 0 || strcmp(words[3], "--socket") != 0 || strcmp(words[5], "--") != 0) {
    fprintf(stderr, "usage: egress-relay --listen ADDRESS:PORT --socket PATH -- program arguments...\n");
    return 126;
  }
  const char *path = words[4];
  if (strlen(path) >= sizeof ((struct sockaddr_un *)0)->sun_path) fail("the path of the socket is too long");
  int listener = listen_at(words[2]);
  pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    let_go(listener);
    setsid();
    prctl(PR_SET_NAME, "egress-relay");
    signal(SIGPIPE, SIG_IGN);
    serve(3, path);
  }
  close(listener);
  char number[16];
  snprintf(number, sizeof number, "%d", (int)child);
  setenv("REINS_RELAY", number, 1);
  execvp(words[6], words + 6);
  fail(words[6]);
}
