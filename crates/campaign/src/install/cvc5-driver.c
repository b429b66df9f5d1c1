/*
 * A small command-line front end for the cvc5 libraries.
 *
 * The cvc5 wheel has libcvc5 and libcvc5parser but neither the `cvc5` program nor the headers, so this
 * file declares the C API functions it needs and behaves like the program in these respects:
 *
 *   cvc5 [--OPT | --no-OPT | --OPT=VALUE]... [--parse-only] [FILE | -]
 *   cvc5 --version
 *
 *  - every other option is passed to the library, and again after (reset);
 *  - incremental solving is off unless enabled by an option or (set-option), as in the program;
 *  - --tlimit=MS ends the process as the program does: a line on stderr, then SIGABRT;
 *  - standard input is answered command by command, so that the driver works at the end of a pipe;
 *  - errors are printed as (error "...") on stdout and make the exit status 1. An error ends the run,
 *    except that of a get-* command, which changes nothing;
 *  - --parse-only executes only what later commands need in order to parse: set-logic, reset,
 *    declarations and definitions, and (unlike the program) the scopes of push, pop and
 *    reset-assertions.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

/* The part of cvc5's C API used here (cvc5/c/cvc5.h and cvc5/c/cvc5_parser.h). */
typedef struct Cvc5 Cvc5;
typedef struct Cvc5TermManager Cvc5TermManager;
typedef struct Cvc5SymbolManager Cvc5SymbolManager;
typedef struct Cvc5InputParser Cvc5InputParser;
typedef struct cvc5_cmd_t *Cvc5Command;
enum { SMT_LIB_2_6 = 0 }; /* the first value of Cvc5InputLanguage */

Cvc5TermManager *cvc5_term_manager_new(void);
Cvc5 *cvc5_new(Cvc5TermManager *);
const char *cvc5_get_version(Cvc5 *);
void cvc5_set_option(Cvc5 *, const char *name, const char *value);
const char *cvc5_get_option(Cvc5 *, const char *name);
/* Weak, for versions before 1.4 do not have them: there a call that fails ends the process. */
__attribute__((weak)) bool cvc5_has_error(void); /* did the latest call fail? */
__attribute__((weak)) const char *cvc5_get_error_message(void);
Cvc5SymbolManager *cvc5_symbol_manager_new(Cvc5TermManager *);
Cvc5InputParser *cvc5_parser_new(Cvc5 *, Cvc5SymbolManager *);
void cvc5_symbol_manager_delete(Cvc5SymbolManager *);
void cvc5_parser_delete(Cvc5InputParser *);
void cvc5_parser_set_inc_str_input(Cvc5InputParser *, int language, const char *name);
void cvc5_parser_append_inc_str_input(Cvc5InputParser *, const char *text);
Cvc5Command cvc5_parser_next_command(Cvc5InputParser *, const char **error);
const char *cvc5_cmd_get_name(Cvc5Command);
const char *cvc5_cmd_to_string(Cvc5Command);
const char *cvc5_cmd_invoke(Cvc5Command, Cvc5 *, Cvc5SymbolManager *);
__attribute__((weak)) void cvc5_cmd_release(Cvc5Command);

static Cvc5TermManager *terms;
static Cvc5 *solver;
static Cvc5SymbolManager *symbols;
static Cvc5InputParser *parser;
static bool parse_only;
static int status; /* of the process */
static int option_count;
static char **option_names, **option_values;

/* Ends the process without the (slow, pointless) destruction of the solver. */
static void finish(int code) {
  if (fflush(stdout) != 0 && code == 0) code = 1;
  _exit(code);
}

/* Prints an SMT-LIB error response, and ends the process. */
static void fail(const char *message) {
  fputs("(error \"", stdout);
  for (; *message; message++) {
    if (*message == '"') putchar('"');
    putchar(*message);
  }
  puts("\")");
  finish(1);
}

static bool has_error(void) {
  return cvc5_has_error && cvc5_has_error();
}

static void fail_if_error(void) {
  if (has_error()) fail(cvc5_get_error_message());
}

static void on_alarm(int signal_number) {
  static const char message[] = "cvc5 interrupted by timeout.\n";
  (void)signal_number;
  if (write(STDERR_FILENO, message, sizeof message - 1) < 0) { /* stderr is closed */
  }
  abort();
}

static void set_time_limit(const char *value) {
  char *end;
  errno = 0;
  unsigned long long ms = strtoull(value, &end, 10);
  if (errno || *value < '0' || *value > '9' || *end) fail("--tlimit takes a number of milliseconds");
  struct itimerval timer = {.it_value = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000}};
  signal(SIGALRM, on_alarm);
  if (setitimer(ITIMER_REAL, &timer, NULL) != 0) fail("cannot set the time limit");
}

static bool starts_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

static void add_option(const char *name, const char *value) {
  option_names[option_count] = strdup(name);
  option_values[option_count++] = strdup(value);
}

/* Sets the options and creates a parser: at the start, and after (reset), which clears the options. */
static void set_up(const char *file) {
  if (parser != NULL) {
    cvc5_parser_delete(parser);
    cvc5_symbol_manager_delete(symbols);
  }
  for (int i = 0; i < option_count; i++) {
    cvc5_set_option(solver, option_names[i], option_values[i]);
    fail_if_error();
  }
  symbols = cvc5_symbol_manager_new(terms);
  parser = cvc5_parser_new(solver, symbols);
  fail_if_error();
  cvc5_parser_set_inc_str_input(parser, SMT_LIB_2_6, file);
  fail_if_error();
}

/* Whether --parse-only has to execute this command. */
static bool matters_to_parser(Cvc5Command command, const char *name) {
  return starts_with(name, "declare-") || starts_with(name, "define-") || !strcmp(name, "set-logic") ||
         !strcmp(name, "push") || !strcmp(name, "pop") || starts_with(name, "reset") ||
         (!strcmp(name, "set-option") &&
          starts_with(cvc5_cmd_to_string(command), "(set-option :global-declarations"));
}

/* Parses and executes one command, which starts at line `line` of `file`. */
static void run_command(const char *text, const char *file, unsigned long line) {
  const char *error = NULL;
  bool was_reset = false;
  cvc5_parser_append_inc_str_input(parser, text);
  fail_if_error();
  Cvc5Command command = cvc5_parser_next_command(parser, &error);
  if (error == NULL && has_error()) error = cvc5_get_error_message();
  if (error != NULL) {
    char *message; /* the C API omits the position of the error */
    fail(asprintf(&message, "Parse Error: %s:%lu: %s", file, line, error) < 0 ? error : message);
  }
  if (command == NULL) return;
  char name[64];
  snprintf(name, sizeof name, "%s", cvc5_cmd_get_name(command));
  if (!parse_only || matters_to_parser(command, name)) {
    const char *output = cvc5_cmd_invoke(command, solver, symbols);
    fail_if_error();
    fputs(output, stdout);
    if (fflush(stdout) != 0) finish(1);
    if (starts_with(output, "(error \"") && strcmp(name, "echo") != 0) {
      status = 1;
      if (!starts_with(name, "get-")) finish(status);
    } else {
      was_reset = !strcmp(name, "reset");
    }
  }
  if (cvc5_cmd_release) cvc5_cmd_release(command);
  if (was_reset) {
    set_up(file);
    if (!strcmp(cvc5_get_option(solver, "print-success"), "true")) puts("success");
    fflush(stdout);
  }
  if (!strcmp(name, "exit")) finish(status);
}

/* Splits the input into commands; each is executed when its last parenthesis has been read. */
static void run(int input, const char *file) {
  static char chunk[1 << 16];
  size_t length = 0, capacity = 1 << 16;
  unsigned long line = 1, first_line = 1, depth = 0;
  char *text = malloc(capacity);
  char inside = 0;   /* one of " | ; inside a literal, a quoted symbol or a comment */
  bool blank = true; /* nothing but white space and comments since the last command */
  for (;;) {
    ssize_t got = read(input, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("cannot read the input");
    for (ssize_t i = 0; i < got; i++) {
      char c = chunk[i];
      bool complete = false;
      if (c == '\0') fail("Parse Error: NUL byte in the input");
      if (inside) {
        if (c == (inside == ';' ? '\n' : inside)) inside = 0;
      } else if (c == '"' || c == '|' || c == ';') {
        inside = c;
      } else if (c == '(') {
        depth++;
      } else if (c == ')') {
        complete = depth <= 1; /* at 0 it is unmatched; the parser reports it */
        if (depth > 0) depth--;
      } else if (c == '\n') {
        complete = depth == 0 && !blank; /* a word outside a command; the parser reports it */
      }
      if (blank && inside != ';' && !strchr(" \t\r\n", c)) {
        blank = false;
        first_line = line;
      }
      if (c == '\n') line++;
      if (blank) continue;
      if (length + 2 > capacity && (text = realloc(text, capacity *= 2)) == NULL) fail("out of memory");
      text[length++] = c;
      if (complete) {
        text[length] = '\0';
        run_command(text, file, first_line);
        length = 0;
        blank = true;
      }
    }
    if (got == 0) break;
  }
  if (!blank) { /* an incomplete command; the parser reports it */
    text[length] = '\0';
    run_command(text, file, first_line);
  }
}

int main(int argc, char **argv) {
  const char *file = NULL;
  bool incremental_given = false;
  struct rlimit stack;
  if (getrlimit(RLIMIT_STACK, &stack) == 0) { /* deep terms need a deep stack */
    stack.rlim_cur = stack.rlim_max;
    setrlimit(RLIMIT_STACK, &stack);
  }
  terms = cvc5_term_manager_new();
  solver = cvc5_new(terms);
  option_names = calloc(argc + 1, sizeof *option_names);
  option_values = calloc(argc + 1, sizeof *option_values);
  add_option("output-language", "smt2"); /* else "unknown (TIMEOUT)" */
  for (int i = 1; i < argc; i++) {
    char *option = argv[i] + 2, *value;
    if (!starts_with(argv[i], "--")) {
      if (argv[i][0] == '-' && argv[i][1]) fail("short options are not supported by this driver");
      if (file) fail("more than one input file");
      file = argv[i];
    } else if (!strcmp(option, "version")) {
      const char *version = cvc5_get_version(solver); /* MAJOR.MINOR.PATCH[-BUILD] */
      printf("cvc5 %.*s\n", (int)strcspn(version, "-"), version);
      finish(0);
    } else if (!strcmp(option, "parse-only")) {
      parse_only = true;
    } else if (starts_with(option, "tlimit=")) {
      set_time_limit(option + strlen("tlimit="));
    } else if (starts_with(option, "dump-") || starts_with(option, "stats") || starts_with(option, "help") ||
               starts_with(option, "interactive") || starts_with(option, "use-portfolio")) {
      fail("this option of the cvc5 program is not supported by this driver");
    } else {
      if ((value = strchr(option, '=')) != NULL)
        *value++ = '\0';
      else if (starts_with(option, "no-"))
        option += strlen("no-"), value = "false";
      else
        value = "true";
      if (!strcmp(option, "incremental")) incremental_given = true;
      add_option(option, value);
    }
  }
  if (parse_only || !incremental_given) add_option("incremental", parse_only ? "true" : "false");
  int input = STDIN_FILENO;
  if (file == NULL || !strcmp(file, "-"))
    file = "<stdin>";
  else if ((input = open(file, O_RDONLY | O_CLOEXEC)) < 0)
    fail("cannot open the input file");
  set_up(file);
  run(input, file);
  finish(status);
}
