/* What differs between assemblers: names of symbols, and how a function is marked. */
#if defined(__APPLE__)
#define NAME(name) _##name
/* A semicolon begins a comment there; two percent signs part statements. */
#define FUNCTION(name) .globl NAME(name) %% .p2align 4 %% NAME(name):
#define END(name)
#else
#define NAME(name) name
#define FUNCTION(name) .globl name; .type name, %function; .p2align 4; name:
#define END(name) .size name, . - name
#endif
