/*
 * A plug-in for qemu's user-mode emulators (plug-in interface 1, qemu 6.2 and later) that counts the guest's instructions and writes
 * "insns: N" when the guest ends. The few declarations it needs follow qemu's documentation of the interface.
 *
 *   gcc -shared -fPIC -O2 -o count.so count.c
 *   qemu-aarch64 -d plugin -plugin ./count.so program
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef uint64_t qemu_plugin_id_t;
struct qemu_info;
struct qemu_plugin_tb;
enum qemu_plugin_op { ADD_U64 };

typedef void (*on_translation)(qemu_plugin_id_t id, struct qemu_plugin_tb *block);
typedef void (*on_end)(qemu_plugin_id_t id, void *own);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, on_translation told);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block, enum qemu_plugin_op op, void *at, uint64_t by);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, on_end told, void *own);
void qemu_plugin_outs(const char *text);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

static uint64_t instructions;

/* A block is translated once, and counted whole each time it is entered: it has one way in. */
static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_inline(block, ADD_U64, &instructions, qemu_plugin_tb_n_insns(block));
}

static void ended(qemu_plugin_id_t id, void *own) {
  char text[64];
  (void)id;
  (void)own;
  snprintf(text, sizeof text, "insns: %llu\n", (unsigned long long)instructions);
  qemu_plugin_outs(text);
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc, char **argv) {
  (void)info;
  (void)argc;
  (void)argv;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, ended, NULL);
  return 0;
}
