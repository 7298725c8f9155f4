/*
 * sonde_plugin.h: the contract between the Sonde daemon and its plugins.
 *
 * A plugin is one shared object NAME.so. It carries one version record in the ELF section "sonde_abi" (read from the
 * file before any code of the object runs) and exports one function:
 *
 *     SONDE_PLUGIN_ABI("");
 *     SONDE_EXPORT const sonde_plugin *sonde_plugin_NAME(void);
 *
 * NAME matches [a-z][a-z0-9_]{0,31} and is the same in the file name, the symbol and the description.
 *
 * RULES THAT HOLD EVERYWHERE
 *
 * Sizes      Every struct starts with struct_size = sizeof the struct as the side that fills it knows it. A later minor
 *            version only appends members, so a reader looks at a member that came after 1.0 only when struct_size
 *            covers it: SONDE_HAS(pointer, type, member). No struct is ever shorter than in 1.0 (SONDE_SIZE_1_0_…).
 *            Arrays of structs are walked with the first element's struct_size as the stride; all elements have the
 *            same size.
 * Strings    UTF-8, {data, size}; size excludes any terminator. Strings that the host hands to a plugin are also
 *            NUL-terminated. Strings that a plugin hands to the host need not be. data may be NULL when size is 0.
 *            Bytes of a plugin's string that are not UTF-8 are written as \xNN, so that different values stay different.
 * Ownership  Neither side frees what the other allocated. What is passed *into* a call belongs to the caller and is
 *            valid until that call returns; copy it to keep it. The lifetime of what is *returned* is documented there.
 * Threads    Each instance has its own thread. The host calls create and destroy from any one thread, and
 *            everything between them from the instance's thread; calls into one instance never overlap, and each
 *            happens-before the next. Two instances of one plugin may run at once: keep no global mutable state.
 *            The functions of sonde_host may be called from the thread that is inside a call of that instance, and
 *            only while that call lasts, with one exception: log may be called from any thread of the plugin until
 *            destroy returns.
 * Deadlines  collect, run, tick, inspect and deliver get a deadline and a cancel_fd (struct sonde_call); describe,
 *            create, start and destroy have ten seconds. A call that exceeds that is reported with the plugin and the
 *            instance; the host never kills a thread, so a plugin that waits must wait in poll(2) with cancel_fd in
 *            the set.
 * Output     Standard output belongs to the data that sinks write there: what a plugin prints with stdio goes to
 *            standard error.
 * Signals    All signals are blocked in plugin threads, SIGPIPE is ignored. Do not change signal dispositions, the
 *            locale, the umask, the working directory or the environment.
 * Processes  Nothing here assumes that both sides share an address space beyond the length of a call: the same object
 *            can be run in a child process by a host that forwards these calls.
 * Sandbox    An object with SONDE_PLUGIN_CONFINED; runs in a process of its own that, once start has returned, has no
 *            capability, opens no file and no socket, and executes, traces and signals nothing: it works on what start
 *            has opened, and makes no thread before start returns. A call that is refused ends the process. After a
 *            failed call the next start is in a new process. A host that does not know of it runs it like any other.
 * Unloading  A loaded object is never unloaded.
 */
#ifndef SONDE_PLUGIN_H
#define SONDE_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------- version */

/* A host refuses an object whose abi_major differs from its own. A larger abi_minor of the plugin is accepted: the
 * plugin sees in sonde_host.struct_size what it may use. The contract is frozen as 1.1: within 1.x nothing that stands
 * here changes or goes, and later versions append only. */
#define SONDE_ABI_MAJOR 1u
#define SONDE_ABI_MINOR 2u

/* Whether the side that filled the struct at p knows the member. */
#define SONDE_HAS(p, type, member) ((p)->struct_size >= offsetof(type, member) + sizeof(((type *)0)->member))

/* The size of each struct in version 1.0, where pointers have 64 bits: the least valid struct_size. Frozen. */
enum {
    SONDE_SIZE_1_0_ABI = 64,
    SONDE_SIZE_1_0_ERROR = 912,
    SONDE_SIZE_1_0_ATTRIBUTE = 40,
    SONDE_SIZE_1_0_SERIES = 72,
    SONDE_SIZE_1_0_HISTOGRAM = 40,
    SONDE_SIZE_1_0_SAMPLE = 32,
    SONDE_SIZE_1_0_CHECKPOINT = 24,
    SONDE_SIZE_1_0_LOSS = 48,
    SONDE_SIZE_1_0_HOST = 192,
    SONDE_SIZE_1_0_CALL = 40,
    SONDE_SIZE_1_0_RESOURCE = 56,
    SONDE_SIZE_1_0_BATCH_SERIES = 96,
    SONDE_SIZE_1_0_POINT = 40,
    SONDE_SIZE_1_0_DOCUMENT = 48,
    SONDE_SIZE_1_0_BATCH = 128,
    SONDE_SIZE_1_0_DELIVERY = 272,
    SONDE_SIZE_1_0_INSPECTION = 72,
    SONDE_SIZE_1_0_PLUGIN = 88
};

/* The version record, 64 bytes, exactly one per object. */
typedef struct sonde_abi {
    uint32_t struct_size; /* sizeof(sonde_abi) */
    uint32_t abi_major;   /* SONDE_ABI_MAJOR */
    uint32_t abi_minor;   /* SONDE_ABI_MINOR */
    uint32_t reserved;    /* 0 */
    char runtime[48];     /* "" for C, C++, Rust, Zig and other self-contained objects; "swift-6.3.1" and the like for an
                             object that shares the host's Swift runtime. NUL-padded. */
} sonde_abi;

#if defined(__has_attribute)
#if __has_attribute(retain)
#define SONDE_RETAIN retain,
#endif
#endif
#ifndef SONDE_RETAIN
#define SONDE_RETAIN
#endif

/* Write once at file scope of a C plugin: SONDE_PLUGIN_ABI(""); */
#define SONDE_PLUGIN_ABI(runtime_name)                                                        \
    static const sonde_abi sonde_abi_record __attribute__((section("sonde_abi"), SONDE_RETAIN used)) = { \
        sizeof(sonde_abi), SONDE_ABI_MAJOR, SONDE_ABI_MINOR, 0, runtime_name}

/* Write once at file scope of a C source that is to be confined: SONDE_PLUGIN_CONFINED; It is read from the file, like the
 * version record. */
#define SONDE_PLUGIN_CONFINED \
    static const uint32_t sonde_confined_record __attribute__((section("sonde_confined"), SONDE_RETAIN used)) = 1

/* Put before the definition of the entry function. */
#define SONDE_EXPORT __attribute__((visibility("default")))

/* ------------------------------------------------------------------------------------------------------ basics */

/* Text, see "Strings" above. */
typedef struct sonde_string {
    const char *data;
    size_t size;
} sonde_string;

/* A string from a C literal: SONDE_STRING("lo"). */
#define SONDE_STRING(literal) ((sonde_string){(literal), sizeof(literal) - 1})

/* Bytes that are not text. data == NULL means "none", which differs from an empty value. */
typedef struct sonde_bytes {
    const void *data;
    size_t size;
} sonde_bytes;

/* What a call into a plugin returns. */
typedef int32_t sonde_status;
#define SONDE_OK 0        /* done */
#define SONDE_FAILED 1    /* not done; the reason is in the sonde_error out-parameter */
#define SONDE_CANCELLED 2 /* not done because cancel_fd became readable; no error is reported for it */
#define SONDE_UNSUITED 3  /* inspect only: the file is of another kind; the sonde_error says what it is not */

/* Times are nanoseconds. time_ns and the like: wall clock since 1970-01-01T00:00:00Z. deadline_ns and the like:
 * CLOCK_MONOTONIC. */
#define SONDE_TIME_UNKNOWN 0 /* as a wall time: not known; as a sample's time: "the time of the tick" */

/* ------------------------------------------------------------------------------------------------------ errors */

/* What a failure means. A plugin states the class; only the host decides what happens then. */
#define SONDE_ERROR_TRANSIENT 1      /* the other side may recover: the same work is tried again after a backoff */
#define SONDE_ERROR_RATE_LIMITED 2   /* the other side asked to slow down: tried again after retry_after_ns */
#define SONDE_ERROR_PERMANENT_DATA 3 /* this batch will never be accepted: it is set aside, the next one is sent */
#define SONDE_ERROR_TOO_LARGE 4      /* this batch is too large: it is split in halves and offered again */
#define SONDE_ERROR_CONFIGURATION 5  /* wrong URL, credentials, path, privilege: held until a person acts; probed rarely */
#define SONDE_ERROR_CORRUPT_INPUT 6  /* a unit of input was unreadable: it was skipped and counted */
#define SONDE_ERROR_RESOURCE 7       /* out of disk, file descriptors, memory, buffers: local backoff */
#define SONDE_ERROR_UNSAFE_STORAGE 8 /* storage refused or lost a write (EIO, read-only file system) */
#define SONDE_ERROR_PROGRAMMER 9     /* a state that cannot be: a defect of the plugin */
#define SONDE_ERROR_ACCESS_REFUSED 10 /* the other side refuses credentials or path (HTTP 401, 403, 404, 407):
                                         held like CONFIGURATION, or the batch is set aside, as `on_auth_error` says */

#define SONDE_RETRY_AFTER_NONE (-1)

/* Filled by a plugin that returns SONDE_FAILED. The host allocates it, zeroes it and sets struct_size and
 * retry_after_ns = SONDE_RETRY_AFTER_NONE. All text is copied into the struct (truncate at a character boundary,
 * keep the final NUL), so no question of ownership arises. Never put a secret into it. */
typedef struct sonde_error {
    uint32_t struct_size;
    uint32_t error_class;   /* SONDE_ERROR_…; 0 is read as SONDE_ERROR_PROGRAMMER */
    int64_t retry_after_ns; /* the wait the other side asked for, or SONDE_RETRY_AFTER_NONE */
    char code[24];          /* stable, documented in the description: "SND-HTTP429"; third parties use their own
                               prefix, "ACME-X001" */
    char option_path[104];  /* the option at fault, "tls.ca_file" or "hosts[2]"; "" when none: the host adds
                               file:line:column */
    char message[512];      /* one sentence: what failed, with which value */
    char hint[256];         /* one sentence: what a person can do; may be "" */
} sonde_error;

/* ------------------------------------------------------------------------------------------- series and samples */

#define SONDE_KIND_COUNTER 1   /* cumulative, monotonic, may reset to zero */
#define SONDE_KIND_UPDOWN 2    /* a sum that goes both ways: sockets in use */
#define SONDE_KIND_GAUGE 3     /* an instantaneous reading */
#define SONDE_KIND_HISTOGRAM 4 /* cumulative histogram with explicit bounds */
#define SONDE_KIND_INFO 5      /* constant 1; the attributes are the message */

/* One name/value pair that identifies a series, or one label. */
typedef struct sonde_attribute {
    uint32_t struct_size;
    uint32_t reserved;
    sonde_string name;  /* "network.interface.name" */
    sonde_string value; /* "eth0" */
} sonde_attribute;

#define SONDE_LEVEL_CORE 1     /* what dashboards and alerts are made of */
#define SONDE_LEVEL_EXTENDED 2 /* what a person looks for once something is wrong */
#define SONDE_LEVEL_ALL 3      /* everything that can be read */

/* What series_open needs. name and unit should be in the plugin's metric catalog; a name that is not passes with
 * a note in the log. */
typedef struct sonde_series {
    uint32_t struct_size;
    uint32_t kind;                     /* SONDE_KIND_… */
    sonde_string name;                 /* "system.network.io" */
    sonde_string unit;                 /* UCUM as OpenTelemetry uses it: "By", "s", "{packet}", "1" for ratios, "" */
    const sonde_attribute *attributes; /* any order, no name twice */
    size_t attribute_count;            /* at most 16 */
    int64_t start_time_ns;             /* counters, histograms: wall time at which the count was 0, or
                                          SONDE_TIME_UNKNOWN */
    uint32_t counter_bits;             /* counters: 32 or 64 when the width is known (a 32-bit one may wrap: the host
                                          counts on, so that no sink sees it fall), else 0 */
    uint32_t reserved;
    /* since 1.1 */
    sonde_string meaning;              /* one sentence, for a metric that is not in the catalog; may be "" */
    /* since 1.2 */
    uint32_t level;                    /* SONDE_LEVEL_…: sent when the source's `level` is this or a later one; 0: the
                                          level of the metric in the catalog, core when it is not there */
    uint32_t reserved_1_2;             /* 0 */
} sonde_series;

/* Names a series in samples. 0 names none: samples with handle 0 are left out and counted. */
typedef uint64_t sonde_series_handle;

/* A cumulative histogram. counts has bound_count + 1 members: counts[i] counts values <= bounds[i], the last one the
 * values above every bound. */
typedef struct sonde_histogram {
    uint32_t struct_size;
    uint32_t bound_count;   /* at most 64 */
    const double *bounds;   /* ascending, finite */
    const uint64_t *counts; /* per bucket, not cumulated over buckets */
    uint64_t count;         /* sum of counts */
    double sum;             /* sum of the values; NaN when unknown */
} sonde_histogram;

#define SONDE_VALUE_NONE 0 /* points with SONDE_POINT_END only */
#define SONDE_VALUE_DOUBLE 1
#define SONDE_VALUE_INT64 2
#define SONDE_VALUE_UINT64 3
#define SONDE_VALUE_HISTOGRAM 4

typedef union sonde_value {
    double f64;                       /* SONDE_VALUE_DOUBLE; NaN and infinities are left out and counted */
    int64_t i64;                      /* SONDE_VALUE_INT64 */
    uint64_t u64;                     /* SONDE_VALUE_UINT64 */
    const sonde_histogram *histogram; /* SONDE_VALUE_HISTOGRAM */
} sonde_value;

/* One observation. An unknown value is not sent: never send 0 for it. 32 bytes. */
typedef struct sonde_sample {
    uint32_t struct_size;
    uint32_t value_type; /* SONDE_VALUE_… */
    sonde_series_handle series;
    int64_t time_ns; /* wall time of the observation, not before 1970 and not more than a day ahead;
                        SONDE_TIME_UNKNOWN: the time of the tick */
    sonde_value value;
} sonde_sample;

/* A streaming source's position, committed together with what was read up to it. At most 64 KiB; replaces the last. */
typedef struct sonde_checkpoint {
    uint32_t struct_size;
    uint32_t reserved;
    sonde_bytes data;
} sonde_checkpoint;

/* What commit returns. */
typedef int32_t sonde_commit_status;
#define SONDE_COMMIT_OK 0       /* all of it was taken */
#define SONDE_COMMIT_BUSY 1     /* nothing was taken: keep the position, wait on cancel_fd for 100 ms or so, try again */
#define SONDE_COMMIT_STOPPING 2 /* nothing was taken and nothing will be any more: return from the call */

/* A loss that the plugin has detected: kernel drops, lines rotated away. Becomes an entry in the loss ledger. */
typedef struct sonde_loss {
    uint32_t struct_size;
    uint32_t reserved;
    sonde_string reason; /* short and stable: "kernel_drop", "rotated_away"; an instance has 64, further ones are
                            counted as "other" */
    int64_t from_ns;     /* wall time; SONDE_TIME_UNKNOWN when not known */
    int64_t to_ns;
    uint64_t count; /* units lost (packets, lines, samples); SONDE_LOSS_UNCOUNTED when not known */
} sonde_loss;
#define SONDE_LOSS_UNCOUNTED UINT64_MAX

/* -------------------------------------------------------------------------------------------------------- host */

#define SONDE_LOG_DEBUG 1
#define SONDE_LOG_INFO 2
#define SONDE_LOG_WARNING 3
#define SONDE_LOG_ERROR 4

/* What a sink gets when its configuration has no `send` key. */
#define SONDE_SEND_METRICS 1u
#define SONDE_SEND_SNAPSHOTS 2u

/* The services of the host for one instance. Pass the host itself as the first argument. Valid from create until
 * destroy returns. See "Threads" for which thread may call what. */
typedef struct sonde_host sonde_host;
struct sonde_host {
    uint32_t struct_size;
    uint32_t abi_minor;        /* the host's SONDE_ABI_MINOR */
    void *context;             /* the host's own */
    sonde_string instance_id;  /* the `id` of this source or sink in the configuration */

    /* --- log: one line on the agent's log, tagged with the instance. Rate-limited; control bytes are escaped, and the
     * values of secret options are replaced by ***. */
    void (*log)(const sonde_host *host, int32_t level, sonde_string message);

    /* --- clocks */
    int64_t (*wall_time_ns)(const sonde_host *host);      /* since 1970, may step */
    int64_t (*monotonic_time_ns)(const sonde_host *host); /* CLOCK_MONOTONIC */

    /* --- options, validated against the schema and defaulted. path is the key ("url"), nested keys are joined with
     * dots ("tls.ca_file"). Each returns 1 and stores the value, or returns 0 when the option is not set and has no
     * default (or path or type is not in the schema). Strings live until destroy returns. */
    int32_t (*option_string)(const sonde_host *host, sonde_string path, sonde_string *value); /* also enums, secrets */
    int32_t (*option_bool)(const sonde_host *host, sonde_string path, int32_t *value);
    int32_t (*option_int)(const sonde_host *host, sonde_string path, int64_t *value);
    int32_t (*option_double)(const sonde_host *host, sonde_string path, double *value);
    int32_t (*option_duration_ns)(const sonde_host *host, sonde_string path, int64_t *value);
    int32_t (*option_size_bytes)(const sonde_host *host, sonde_string path, int64_t *value);
    /* Lists and maps of strings. Count is 0 when not set. item: 1 and the value, or 0 past the end. Maps keep the
     * order of the file.
     * Of an option of the type "entries", a list of mappings, option_list_count is the number of entries, at most 1024,
     * and option_list_item always 0. Its members have paths of their own for every accessor here, counted from 0:
     * "targets[2].host". They are validated and defaulted like any option. */
    size_t (*option_list_count)(const sonde_host *host, sonde_string path);
    int32_t (*option_list_item)(const sonde_host *host, sonde_string path, size_t index, sonde_string *value);
    size_t (*option_map_count)(const sonde_host *host, sonde_string path);
    int32_t (*option_map_item)(const sonde_host *host, sonde_string path, size_t index, sonde_string *key,
                               sonde_string *value);

    /* --- series (sources), from start on. open returns the same handle for the same name and attributes; 0 when the
     * instance's bound on open series is reached, the series is malformed, or it is open with another kind or unit
     * (the reason is counted and reported by the host). close when the thing is gone (an interface was removed): the
     * handle is invalid after that and is never reused, and sinks that ask for it get a point that ends the series. */
    sonde_series_handle (*series_open)(const sonde_host *host, const sonde_series *series);
    void (*series_close)(const sonde_host *host, sonde_series_handle series);

    /* --- commit (sources, from start on): hands over count samples and, when not NULL, a checkpoint, as one whole:
     * all of it is taken, copied before the call returns, or nothing. count may be 0 with a checkpoint. samples may
     * not be NULL unless count is 0. A sample that cannot be taken (dead handle, wrong type, NaN, impossible time,
     * malformed histogram) is left out, counted by metric and reason, and reported; the rest is taken. */
    sonde_commit_status (*commit)(const sonde_host *host, const sonde_sample *samples, size_t count,
                                  const sonde_checkpoint *checkpoint);

    /* --- checkpoint (sources, from start on): the last one that was committed and survived, or {NULL, 0}. Valid until
     * the calling function of the plugin returns. */
    sonde_bytes (*load_checkpoint)(const sonde_host *host);

    /* --- loss ledger */
    void (*report_loss)(const sonde_host *host, const sonde_loss *loss);

    /* --- asks for calls of `tick` every period_ns between collections (20 ms to 1 s; 0 turns them off). From start,
     * collect or tick. Returns 1, or 0 when the period is out of range or the plugin has no tick. Ticks are counted from the
     * collection before; none falls together with a collection, which can take the same reading. */
    int32_t (*request_tick)(const sonde_host *host, int64_t period_ns);

    /* --- sinks, from create only: what to send when the configuration does not set it. A mask of SONDE_SEND_…; the
     * default is SONDE_SEND_METRICS. */
    void (*prefer_send)(const sonde_host *host, uint32_t mask);

    /* --- since 1.1 */

    /* --- trouble: a part of the instance has failed while the rest works: one log of three, one interface of two.
     * Status and snapshots show it, identified by code and option_path, until it is cleared or the instance ends;
     * a second report replaces the first. since_ns: wall time, SONDE_TIME_UNKNOWN: now. Returns 1, or 0 when the
     * instance has 32 already. */
    int32_t (*report_trouble)(const sonde_host *host, const sonde_error *error, int64_t since_ns);
    void (*clear_trouble)(const sonde_host *host, sonde_string code, sonde_string option_path);

    /* --- sinks, from deliver only: the receiver took the batch but for the point at this index, for this reason
     * (short and stable: "out_of_order"). Counted by metric and reason, not sent again. Do not count it in
     * sonde_delivery.rejected_points, which is for points that the receiver does not name. */
    void (*reject_point)(const sonde_host *host, size_t index, sonde_string reason);

    /* --- since 1.2 */

    /* --- recordings (sources): `sonde record` keeps what a source reads from outside, and `sonde replay` gives it back.
     * SONDE_TAPE_…; the other three do nothing when it is off, which is usual. All four from create on. The host's clocks
     * stand still during a call, and during a step of run. */
    int32_t (*tape_mode)(const sonde_host *host);

    /* Recording: keeps what was read, under a key of at most 255 bytes, for instance the path of a file. What does not fit
     * the recording is left out, and its count is kept. */
    void (*tape_write)(const sonde_host *host, sonde_string key, sonde_bytes data);

    /* Replaying: the next that was kept under the key in the same call, or the same step of run. Recording: of the key
     * "privacy" the 16 bytes of the secret that pseudonyms are made with; 0: keep everything as it is. Returns 1 and data,
     * valid until the next tape_read or the end of the call, or 0: there is none. */
    int32_t (*tape_read)(const sonde_host *host, sonde_string key, sonde_bytes *data);

    /* Sources with run: the next step of its loop begins, and the clocks go on. Recording: after each wait; replaying:
     * instead of it. Returns 1, or 0: the recording is over, as if cancel_fd were readable. */
    int32_t (*tape_step)(const sonde_host *host);
};

#define SONDE_TAPE_OFF 0
#define SONDE_TAPE_RECORD 1
#define SONDE_TAPE_REPLAY 2

/* The conditions of one call into a plugin. */
typedef struct sonde_call {
    uint32_t struct_size;
    int32_t cancel_fd;    /* becomes readable when the call should end soon; poll it, never read or close it */
    int64_t deadline_ns;  /* CLOCK_MONOTONIC by which the call should have returned; INT64_MAX: none */
    int64_t time_ns;      /* wall time of the tick: the time of samples that carry none */
    int64_t interval_ns;  /* sources: the configured interval. `run` commits what it aggregated once per interval */
    uint32_t flags;       /* SONDE_CALL_… */
    uint32_t reserved;
} sonde_call;
#define SONDE_CALL_FINAL 1u /* the last collect, or a deliver after which the sink stops if nothing more waits */

/* ------------------------------------------------------------------------------------------------------ batches */

/* What every point of a batch has in common. */
typedef struct sonde_resource {
    uint32_t struct_size;
    uint32_t reserved;
    sonde_string host_name;        /* the host that the agent runs on; "" when switched off */
    sonde_string agent_version;    /* "1.4.0" */
    const sonde_attribute *labels; /* of the agent, sorted by name; a label of a source of the same name goes before it */
    size_t label_count;
} sonde_resource;

/* A series as sinks see it. */
typedef struct sonde_batch_series {
    uint32_t struct_size;
    uint32_t kind;                     /* SONDE_KIND_… */
    uint64_t id;                       /* stays the same for the life of the process, and is never reused: a sink may
                                          cache what it derives from a series under it */
    sonde_string name;
    sonde_string unit;
    const sonde_attribute *attributes; /* sorted by name */
    size_t attribute_count;
    const sonde_attribute *labels;     /* labels of the source, sorted by name; those of the agent are in the resource */
    size_t label_count;
    sonde_string source_id;            /* the `id` of the source that reported it */
    /* since 1.1 */
    sonde_string meaning;              /* one sentence, for people; "" when not known. Not part of the batch's content:
                                          it may differ when the stretch is offered again after a restart */
} sonde_batch_series;

/* One metric point. */
typedef struct sonde_point {
    uint32_t struct_size;
    uint32_t value_type;   /* SONDE_VALUE_… */
    uint32_t series_index; /* into sonde_batch.series */
    uint32_t flags;        /* SONDE_POINT_… */
    int64_t time_ns;       /* wall time, always known */
    int64_t start_time_ns; /* counters, histograms: start of the count, or SONDE_TIME_UNKNOWN; 0 for other kinds */
    sonde_value value;
} sonde_point;
/* The series has ended at time_ns: its thing is gone. Its value_type is SONDE_VALUE_NONE. Only sinks whose description
 * has "ends": true get such points. The stop of an agent ends no series. */
#define SONDE_POINT_END 1u

/* One document, a domain snapshot for instance. */
typedef struct sonde_document {
    uint32_t struct_size;
    uint32_t reserved;
    sonde_string schema; /* "sonde.snapshot/2" */
    sonde_string json;   /* one JSON object, no line breaks */
    int64_t time_ns;
} sonde_document;

/* One stretch of the log, cut for one sink. Everything in it is valid until deliver returns. */
typedef struct sonde_batch {
    uint32_t struct_size;
    uint32_t attempt;       /* 0 for the first offer of this stretch, then 1, 2, … (since the process began) */
    sonde_string agent_id;  /* UUID, lower case */
    sonde_string epoch;     /* of the log: sequence numbers are unique within it */
    uint64_t first_sequence;
    uint64_t last_sequence; /* the stretch, both ends included; the body may hold fewer points */
    sonde_string sink_id;
    const sonde_resource *resource; /* never NULL */
    const sonde_batch_series *series;
    size_t series_count;
    const sonde_point *points; /* in sequence order */
    size_t point_count;
    const sonde_document *documents;
    size_t document_count;
} sonde_batch;

/* Filled by a sink whose deliver returns SONDE_OK; the host zeroes it and sets struct_size. */
typedef struct sonde_delivery {
    uint32_t struct_size;
    uint32_t reserved;
    uint64_t rejected_points; /* points that the receiver took out without naming them; counted, not sent again */
    char message[256];        /* why, when rejected_points > 0 */
} sonde_delivery;

/* --------------------------------------------------------------------------------------------------- inspection */

/* A file to read offline (`sonde inspect FILE`). It may be a FIFO or a pipe, which cannot be rewound, and it is offered
 * to one plugin after the other: so the host reads its beginning, and a plugin decides only by that whether it reads the
 * file. If it does not, it returns SONDE_UNSUITED and has read nothing from fd and written nothing. */
typedef struct sonde_inspection {
    uint32_t struct_size;
    int32_t fd;          /* open for reading, after what is in head; belongs to the host */
    sonde_string path;   /* for messages only */
    sonde_string format; /* "table" or "json" */
    void *context;
    /* Appends to the output. Returns 1, or 0 when the reader is gone: return SONDE_CANCELLED then. */
    int32_t (*write)(void *context, const void *data, size_t size);
    sonde_bytes head; /* the beginning of the file, at least 4 KiB of it or all: what fd has comes after that */
} sonde_inspection;

/* ------------------------------------------------------------------------------------------------------- plugin */

#define SONDE_PLUGIN_SOURCE 1
#define SONDE_PLUGIN_SINK 2

/* What the entry function returns: constant, and valid for the life of the process. NULL means "not offered".
 *
 *  source, polled     create start [tick] collect… destroy     collect != NULL, run == NULL
 *  source, streaming  create start run destroy                 run != NULL, collect == NULL
 *  sink               create start deliver… destroy            deliver != NULL, run == NULL
 *  sink that serves   create start (run | deliver)… destroy    deliver != NULL, run != NULL
 *  check only         create destroy
 *  probe              create probe destroy                     (no start)
 *  offline            create inspect destroy                   (no start)
 *
 * error is never NULL. instance is what create stored, and may be NULL only if the plugin keeps no state. */
typedef struct sonde_plugin sonde_plugin;
struct sonde_plugin {
    uint32_t struct_size;
    uint32_t kind; /* SONDE_PLUGIN_SOURCE or SONDE_PLUGIN_SINK */
    void *context; /* the plugin's own constant data; the host passes `plugin` back and never looks */

    /* JSON that describes the plugin (docs/spec/plugin-description.md): name, version, options, metrics, errors. Valid
     * for the life of the process. Called before any instance exists; does nothing else. */
    sonde_string (*describe)(const sonde_plugin *plugin);

    /* Validates the options and makes an instance, without side effects: opens nothing, connects to nothing, starts no
     * thread (`sonde check` calls it). Called only with options that fit the description: required ones are there, types,
     * ranges and choices hold. On SONDE_FAILED nothing is left to destroy. */
    sonde_status (*create)(const sonde_plugin *plugin, const sonde_host *host, void **instance, sonde_error *error);

    /* Opens what the instance needs. SONDE_FAILED: the host calls start again after a backoff that fits the class, on
     * the same instance, so start must be able to run twice. May be NULL. */
    sonde_status (*start)(void *instance, sonde_error *error);

    /* Reads everything once and commits it. Called every interval, and once more with SONDE_CALL_FINAL. */
    sonde_status (*collect)(void *instance, const sonde_call *call, sonde_error *error);

    /* Sources: streams until cancel_fd is readable: commits once per interval_ns, and a last time before it returns.
     * Returning SONDE_FAILED makes the host call start and run again after a backoff.
     * Sinks: serves its clients until cancel_fd is readable, between deliveries: it is called when there is nothing
     * to deliver, and cancel_fd becomes readable when there is, or at the stop. Returns SONDE_OK or SONDE_CANCELLED then. */
    sonde_status (*run)(void *instance, const sonde_call *call, sonde_error *error);

    /* Samples between collections, at the period asked for with request_tick: commits nothing, returns in well under
     * a millisecond. */
    sonde_status (*tick)(void *instance, const sonde_call *call, sonde_error *error);

    /* Delivers one batch whole. SONDE_OK: the receiver has it (the durability that the description promises).
     * SONDE_FAILED or SONDE_CANCELLED: the same stretch with the same content comes again, so a receiver may see it
     * twice; agent_id, epoch and sequence numbers let it notice. */
    sonde_status (*deliver)(void *instance, const sonde_batch *batch, const sonde_call *call, sonde_delivery *delivery,
                            sonde_error *error);

    /* Reads one file offline and writes what it found. A file that is cut or damaged: writes what was found up
     * to there, then returns SONDE_FAILED. */
    sonde_status (*inspect)(void *instance, const sonde_inspection *inspection, const sonde_call *call,
                            sonde_error *error);

    /* Frees the instance. Called once, after every other call has returned. */
    void (*destroy)(void *instance);

    /* since 1.2 */
    /* Sinks: connects as the first delivery would, with its addresses, certificates and credentials as far as connecting
     * takes them, and sends nothing (`sonde doctor`). SONDE_OK: a delivery would reach its receiver. An agent may deliver
     * through another instance of the same configuration meanwhile. NULL: nothing is known before a delivery. */
    sonde_status (*probe)(void *instance, const sonde_call *call, sonde_error *error);
};

#ifdef __cplusplus
}
#endif

#endif
