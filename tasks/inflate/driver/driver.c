/*
 * Our program around the deliverable; speaks the protocol of docs/perf.md. The case's first byte says what is asked:
 *
 *   0  decode each stream, once with the ends of both buffers at the edge of a page that must not be touched, once with
 *      their starts there. Content: times { bound (4 bytes), size (4), the stream }.
 *      Answer: times { status (1), consumed (4), produced (4), what was decoded }.
 *   1  work for the clock. Content: size of the stream (4), size of what it decodes to (4), number of places (4), the
 *      stream, times { offset (4), bytes (4), choices (4), choices × bytes }. Before each iteration the state chooses
 *      what stands at each place, so no two iterations decode the same stream.
 *      Answer: 8 bytes that hang on everything that was decoded.
 *
 * Numbers are unsigned, the least significant byte first.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "inflate.h"

/* Bytes of a page: 4096, or 16384 on Apple's processors. */
static size_t page;

struct bytes {
  const uint8_t *at, *end;
};

static void read_all(void *into, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    ssize_t got = read(0, (char *)into + done, bytes - done);
    if (got <= 0) _exit(0);
    done += (size_t)got;
  }
}

static void write_all(const void *from, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    ssize_t put = write(1, (const char *)from + done, bytes - done);
    if (put <= 0) _exit(1);
    done += (size_t)put;
  }
}

static uint32_t little(const uint8_t *at) {
  return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void put_little(uint8_t *at, size_t value) {
  for (int i = 0; i < 4; i++) at[i] = (uint8_t)(value >> (8 * i));
}

static void say(char word, const void *content, size_t bytes) {
  uint8_t head[5] = {(uint8_t)word};
  put_little(head + 1, bytes);
  write_all(head, 5);
  write_all(content, bytes);
}

static uint32_t take_number(struct bytes *from) {
  if (from->end - from->at < 4) _exit(3);
  from->at += 4;
  return little(from->at - 4);
}

static const uint8_t *take_bytes(struct bytes *from, size_t bytes) {
  if ((size_t)(from->end - from->at) < bytes) _exit(3);
  from->at += bytes;
  return from->at - bytes;
}

/* Memory between two pages that must not be touched. */
struct fenced {
  uint8_t *all, *first;
  size_t mapped;
};

static struct fenced fence(size_t bytes) {
  size_t inside = (bytes + page - 1) / page * page;
  struct fenced memory = {.mapped = inside + 2 * page};
  memory.all = mmap(NULL, memory.mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory.all == MAP_FAILED) _exit(3);
  memory.first = memory.all + page;
  if (inside > 0 && mprotect(memory.first, inside, PROT_READ | PROT_WRITE) != 0) _exit(3);
  return memory;
}

static uint8_t *place(struct fenced memory, size_t bytes, bool at_end) {
  return at_end ? memory.all + memory.mapped - page - bytes : memory.first;
}

/* Decodes one stream; its answer goes behind `answer`, which holds room for it. */
static size_t decode(const uint8_t *stream, size_t size, size_t bound, bool at_end, uint8_t *answer) {
  struct fenced in = fence(size);
  struct fenced out = fence(bound);
  uint8_t *input = place(in, size, at_end);
  uint8_t *output = place(out, bound, at_end);
  if (size > 0) {
    memcpy(input, stream, size);
    if (mprotect(in.first, in.mapped - 2 * page, PROT_READ) != 0) _exit(3);
  }
  struct inflate_result result = inflate_raw(input, size, output, bound);
  answer[0] = (uint8_t)result.status;
  put_little(answer + 1, result.consumed);
  put_little(answer + 5, result.produced);
  size_t produced = result.produced <= bound ? result.produced : 0;
  if (produced > 0) memcpy(answer + 9, output, produced);
  munmap(in.all, in.mapped);
  munmap(out.all, out.mapped);
  return 9 + produced;
}

static void answer_streams(struct bytes content) {
  size_t room = 0;
  struct bytes look = content;
  while (look.at < look.end) {
    room += 9 + take_number(&look);
    take_bytes(&look, take_number(&look));
  }
  /* Both ways of placing the buffers must give one answer: a second one follows where they do not. */
  uint8_t *answer = malloc(2 * room + 1);
  uint8_t *end = answer;
  if (answer == NULL) _exit(3);
  while (content.at < content.end) {
    size_t bound = take_number(&content);
    size_t size = take_number(&content);
    const uint8_t *stream = take_bytes(&content, size);
    size_t first = decode(stream, size, bound, true, end);
    size_t second = decode(stream, size, bound, false, end + first);
    bool agree = first == second && memcmp(end, end + first, first) == 0;
    end += agree ? first : first + second;
  }
  say('D', answer, (size_t)(end - answer));
  free(answer);
}

static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

struct spot {
  uint32_t offset, bytes, choices;
  const uint8_t *texts;
};

struct workload {
  uint8_t *stream, *output;
  size_t size, produced, spots;
  struct spot *spot;
};

static struct workload expand(struct bytes content) {
  struct workload work = {0};
  work.size = take_number(&content);
  work.produced = take_number(&content);
  work.spots = take_number(&content);
  work.stream = malloc(work.size + 1);
  work.output = malloc(work.produced + 1);
  work.spot = calloc(work.spots + 1, sizeof *work.spot);
  if (work.stream == NULL || work.output == NULL || work.spot == NULL) _exit(3);
  memcpy(work.stream, take_bytes(&content, work.size), work.size);
  for (size_t i = 0; i < work.spots; i++) {
    struct spot *spot = &work.spot[i];
    spot->offset = take_number(&content);
    spot->bytes = take_number(&content);
    spot->choices = take_number(&content);
    spot->texts = take_bytes(&content, (size_t)spot->choices * spot->bytes);
    if (spot->choices == 0 || spot->offset + (size_t)spot->bytes > work.size) _exit(3);
  }
  return work;
}

static uint64_t word_at(const uint8_t *at) {
  uint64_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

/* Looks at the result in places that the state chooses: cheap beside the decoding. */
static uint64_t sample(const uint8_t *output, size_t produced, uint64_t state) {
  for (int i = 0; i < 64 && produced >= 8; i++) state = mix(state + word_at(output + state % (produced - 7)));
  return state;
}

static uint64_t digest(const uint8_t *output, size_t produced, uint64_t state) {
  for (size_t i = 0; i + 8 <= produced; i += 8) state = mix(state + word_at(output + i));
  for (size_t i = produced / 8 * 8; i < produced; i++) state = mix(state + output[i]);
  return state;
}

static void answer_work(struct workload *work, uint32_t iterations, uint64_t state) {
  for (uint32_t i = 0; i < iterations; i++) {
    for (size_t at = 0; at < work->spots; at++) {
      const struct spot *spot = &work->spot[at];
      state = mix(state + at + 1);
      const uint8_t *text = spot->texts + (size_t)(state % spot->choices) * spot->bytes;
      memcpy(work->stream + spot->offset, text, spot->bytes);
    }
    struct inflate_result result = inflate_raw(work->stream, work->size, work->output, work->produced);
    state = mix(state + (uint64_t)result.status + 1);
    state = mix(state + result.consumed);
    state = mix(state + result.produced);
    if (result.produced > work->produced) break;
    state = sample(work->output, result.produced, state);
    if (i + 1 == iterations) state = digest(work->output, result.produced, state);
  }
  say('D', &state, sizeof state);
}

int main(void) {
  page = (size_t)sysconf(_SC_PAGESIZE);
  uint8_t *content = NULL;
  struct bytes streams = {0};
  struct workload work = {0};
  for (;;) {
    uint8_t head[5];
    read_all(head, sizeof head);
    size_t bytes = little(head + 1);
    if (head[0] == 'C' && bytes > 0 && content == NULL) {
      content = malloc(bytes);
      if (content == NULL) return 3;
      read_all(content, bytes);
      streams = (struct bytes){content + 1, content + bytes};
      if (content[0] == 1) work = expand(streams);
      say('R', "", 0);
    } else if (head[0] == 'G' && bytes == 12 && content != NULL) {
      uint8_t order[12];
      read_all(order, sizeof order);
      if (content[0] == 1) answer_work(&work, little(order), word_at(order + 4));
      else answer_streams(streams);
    } else {
      return head[0] == 'E' ? 0 : 3;
    }
  }
}
