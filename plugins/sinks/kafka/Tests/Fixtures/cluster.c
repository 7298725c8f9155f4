/* cluster BROKERS DIRECTORY: librdkafka's own mock cluster on 127.0.0.1, ordered about by lines on standard input.
 *
 * Prints its bootstrap servers, and "ok" after each command. What arrives in a topic that is read becomes files in DIRECTORY:
 * `<number>.body`, and then `<number>.head` with the key and the headers, one `name=value` per line; or, with `count`, only sums. */
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rd_kafka_mock_cluster_t *cluster;
static const char *directory;
static char topic[256];
static int partitions;
static int keeps_bodies;
static volatile int stops;

static struct {
    unsigned long messages, points, bytes, repeated, gaps;
} sums;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void header(rd_kafka_message_t *message, const char *name, char *text, size_t room) {
    rd_kafka_headers_t *headers;
    const void *value;
    size_t size;
    *text = 0;
    if (rd_kafka_message_headers(message, &headers) || rd_kafka_header_get_last(headers, name, &value, &size)) return;
    snprintf(text, room, "%.*s", (int)size, (const char *)value);
}

/* Where a message stands: its batch, the stretch of that, and which of its lines it has. */
struct place {
    char batch[256];
    unsigned long first, last, from, to, of;
};

static struct place place(rd_kafka_message_t *message) {
    struct place place = {0};
    char part[128];
    header(message, "Sonde-Batch", place.batch, sizeof place.batch);
    header(message, "Sonde-Part", part, sizeof part);
    const char *stretch = strrchr(place.batch, '/');
    if (stretch) sscanf(stretch + 1, "%lu-%lu", &place.first, &place.last);
    sscanf(part, "%lu-%lu/%lu", &place.from, &place.to, &place.of);
    return place;
}

/* Stretches of one log follow each other, and parts of a batch too. */
static int follows(struct place *next, struct place *before) {
    if (next->from == 1) return next->first == before->last + 1 && before->to == before->of;
    return !strcmp(next->batch, before->batch) && next->from == before->to + 1;
}

static void count(rd_kafka_message_t *message) {
    static struct place before;
    struct place next = place(message);
    char points[32];
    /* What the agent says of itself is in no log. */
    if (strstr(next.batch, "-now/")) return;
    header(message, "Sonde-Points", points, sizeof points);
    pthread_mutex_lock(&lock);
    if (sums.messages && !strcmp(next.batch, before.batch) && next.from == before.from && next.to == before.to) {
        sums.repeated++;
    } else {
        if (sums.messages && !follows(&next, &before)) sums.gaps++;
        sums.points += strtoul(points, NULL, 10);
        sums.messages++;
        sums.bytes += message->len;
        before = next;
    }
    pthread_mutex_unlock(&lock);
}

static void keep(rd_kafka_message_t *message, unsigned long number) {
    char path[4096], temporary[4096];
    snprintf(path, sizeof path, "%s/%08lu.body", directory, number);
    FILE *file = fopen(path, "w");
    if (!file) return;
    fwrite(message->payload, 1, message->len, file);
    fclose(file);
    snprintf(temporary, sizeof temporary, "%s/%08lu.new", directory, number);
    snprintf(path, sizeof path, "%s/%08lu.head", directory, number);
    if (!(file = fopen(temporary, "w"))) return;
    fprintf(file, "partition=%d\noffset=%lld\nkey=%.*s\n", (int)message->partition, (long long)message->offset,
            (int)message->key_len, (const char *)message->key);
    rd_kafka_headers_t *headers;
    if (!rd_kafka_message_headers(message, &headers)) {
        const char *name;
        const void *value;
        size_t size;
        for (size_t i = 0; !rd_kafka_header_get_all(headers, i, &name, &value, &size); i++)
            fprintf(file, "%s=%.*s\n", name, (int)size, (const char *)value);
    }
    fclose(file);
    rename(temporary, path);
}

/* The mock keeps 5 MiB of a partition: a reader that comes back late has lost messages, which the producer has not. */
static const char *const swift[][2] = {
    {"fetch.wait.max.ms", "10"}, {"fetch.error.backoff.ms", "5"}, {"retry.backoff.ms", "5"}, {"reconnect.backoff.ms", "5"},
    {"reconnect.backoff.max.ms", "10"}, {"topic.metadata.refresh.fast.interval.ms", "10"},
};

static void *read_topic(void *unused) {
    (void)unused;
    char error[512];
    rd_kafka_conf_t *conf = rd_kafka_conf_new();
    rd_kafka_conf_set(conf, "bootstrap.servers", rd_kafka_mock_cluster_bootstraps(cluster), error, sizeof error);
    rd_kafka_conf_set(conf, "group.id", "reader", error, sizeof error);
    rd_kafka_conf_set(conf, "auto.offset.reset", "earliest", error, sizeof error);
    rd_kafka_conf_set(conf, "log_level", "0", error, sizeof error);
    for (size_t i = 0; i < sizeof swift / sizeof *swift; i++)
        rd_kafka_conf_set(conf, swift[i][0], swift[i][1], error, sizeof error);
    rd_kafka_t *consumer = rd_kafka_new(RD_KAFKA_CONSUMER, conf, error, sizeof error);
    if (!consumer) return NULL;
    rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new(partitions);
    for (int i = 0; i < partitions; i++)
        rd_kafka_topic_partition_list_add(list, topic, i)->offset = RD_KAFKA_OFFSET_BEGINNING;
    rd_kafka_assign(consumer, list);
    rd_kafka_topic_partition_list_destroy(list);
    rd_kafka_poll_set_consumer(consumer);
    for (unsigned long number = 0; !stops;) {
        rd_kafka_message_t *message = rd_kafka_consumer_poll(consumer, 50);
        if (!message) continue;
        if (!message->err) {
            count(message);
            if (keeps_bodies) keep(message, number++);
        }
        rd_kafka_message_destroy(message);
    }
    rd_kafka_destroy(consumer);
    return NULL;
}

int main(int argc, char **argv) {
    if (argc < 3) return 64;
    char error[512], line[4096];
    directory = argv[2];
    rd_kafka_conf_t *conf = rd_kafka_conf_new();
    rd_kafka_conf_set(conf, "log_level", "0", error, sizeof error);
    rd_kafka_t *handle = rd_kafka_new(RD_KAFKA_PRODUCER, conf, error, sizeof error);
    if (!handle || !(cluster = rd_kafka_mock_cluster_new(handle, atoi(argv[1])))) return 1;
    printf("%s\n", rd_kafka_mock_cluster_bootstraps(cluster));
    fflush(stdout);
    pthread_t reader;
    int reads = 0;
    while (fgets(line, sizeof line, stdin)) {
        char name[256];
        int a, b, n = 0;
        if (sscanf(line, "topic %255s %d", name, &a) == 2) {
            rd_kafka_mock_topic_create(cluster, name, a, 1);
        } else if (sscanf(line, "down %d", &a) == 1) {
            rd_kafka_mock_broker_set_down(cluster, a);
        } else if (sscanf(line, "up %d", &a) == 1) {
            rd_kafka_mock_broker_set_up(cluster, a);
        } else if (sscanf(line, "leader %255s %d %d", name, &a, &b) == 3) {
            rd_kafka_mock_partition_set_leader(cluster, name, a, b);
        } else if (sscanf(line, "rtt %d %d", &a, &b) == 2) {
            rd_kafka_mock_broker_set_rtt(cluster, a, b);
        } else if (sscanf(line, "refuse %255s %d", name, &a) == 2) {
            rd_kafka_mock_topic_set_error(cluster, name, a);
        } else if (sscanf(line, "errors %d%n", &a, &n) == 1) {
            for (char *next = line + n; sscanf(next, "%d%n", &b, &n) == 1; next += n)
                rd_kafka_mock_push_request_errors(cluster, a, 1, (rd_kafka_resp_err_t)b);
        } else if (sscanf(line, "clear %d", &a) == 1) {
            rd_kafka_mock_clear_request_errors(cluster, a);
        } else if (!reads && (sscanf(line, "read %255s %d", topic, &partitions) == 2 ||
                              sscanf(line, "count %255s %d", topic, &partitions) == 2)) {
            keeps_bodies = line[0] == 'r';
            reads = !pthread_create(&reader, NULL, read_topic, NULL);
        } else if (!strncmp(line, "sums", 4)) {
            pthread_mutex_lock(&lock);
            printf("messages %lu points %lu bytes %lu repeated %lu gaps %lu\n", sums.messages, sums.points, sums.bytes,
                   sums.repeated, sums.gaps);
            pthread_mutex_unlock(&lock);
        } else {
            printf("unknown\n");
        }
        printf("ok\n");
        fflush(stdout);
    }
    stops = 1;
    if (reads) pthread_join(reader, NULL);
    rd_kafka_mock_cluster_destroy(cluster);
    rd_kafka_destroy(handle);
    return 0;
}
