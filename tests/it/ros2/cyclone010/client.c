/* A subscriber on Cyclone DDS 0.10: a separate process that prints the messages it receives as lines of JSON.
 *
 *     client DOMAIN (TYPE TOPIC RELIABLE)...      RELIABLE is 0 or 1
 *
 * The first line is `{"ready", "library"}`: the version of the header and the path of the library; then each message
 * is `{"topic", "message"}`. The bytes of a cloud are checked here, and only their counts are printed.
 * The client ends with its input.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dds/dds.h>
#include <dds/version.h>

#include "types.h"

typedef builtin_interfaces_msg_dds__Time_ Time;
typedef std_msgs_msg_dds__Header_ Header;
typedef geometry_msgs_msg_dds__Vector3_ Vector3;
typedef geometry_msgs_msg_dds__Quaternion_ Quaternion;
typedef geometry_msgs_msg_dds__TransformStamped_ TransformStamped;

enum { MOST_TOPICS = 16, MOST_SAMPLES = 16, DEPTH = 100 };

/* Loopback only, without multicast; other participants are searched on the ports of this machine. */
static const char CONFIGURATION[] =
    "<CycloneDDS><Domain>"
    "<General><Interfaces><NetworkInterface name=\"lo\" multicast=\"false\"/></Interfaces>"
    "<AllowMulticast>false</AllowMulticast></General>"
    "<Discovery><Peers><Peer Address=\"127.0.0.1\"/></Peers>"
    "<ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>30</MaxAutoParticipantIndex></Discovery>"
    "</Domain></CycloneDDS>";

static dds_entity_t checked(const char *what, dds_return_t result) {
    if (result < 0) {
        fprintf(stderr, "%s: %s\n", what, dds_strretcode(-result));
        exit(1);
    }
    return result;
}

/* Strings and numbers as JSON. */

static void show_text(const char *name, const char *text) {
    printf("\"%s\":\"", name);
    for (; *text != '\0'; ++text) {
        if (*text == '"' || *text == '\\') {
            putchar('\\');
        }
        putchar(*text);
    }
    putchar('"');
}

/* Between elements of a list. */
static void separate(size_t at) {
    if (at > 0) {
        putchar(',');
    }
}

/* With enough digits to read the same number back. */
static void show_number(double number, int digits) {
    if (isnan(number)) {
        printf("\"NaN\"");
    } else if (isinf(number)) {
        printf("\"%sInfinity\"", number < 0 ? "-" : "");
    } else {
        printf("%.*g", digits, number);
    }
}

static void show_float(const char *name, float number) {
    printf("\"%s\":", name);
    show_number((double)number, 9);
}

static void show_floats(const char *name, const float *numbers, size_t count) {
    printf("\"%s\":[", name);
    for (size_t at = 0; at < count; ++at) {
        separate(at);
        show_number((double)numbers[at], 9);
    }
    putchar(']');
}

static void show_doubles(const char *name, const double *numbers, size_t count) {
    printf("\"%s\":[", name);
    for (size_t at = 0; at < count; ++at) {
        separate(at);
        show_number(numbers[at], 17);
    }
    putchar(']');
}

/* An object of numbers, each named by one letter. */
static void show_axes(const char *name, const char *axes, ...) {
    va_list numbers;
    va_start(numbers, axes);
    printf("\"%s\":{", name);
    for (const char *axis = axes; *axis != '\0'; ++axis) {
        separate((size_t)(axis - axes));
        printf("\"%c\":", *axis);
        show_number(va_arg(numbers, double), 17);
    }
    va_end(numbers);
    putchar('}');
}

static void show_vector(const char *name, const Vector3 *vector) {
    show_axes(name, "xyz", vector->x, vector->y, vector->z);
}

static void show_quaternion(const char *name, const Quaternion *rotation) {
    show_axes(name, "xyzw", rotation->x, rotation->y, rotation->z, rotation->w);
}

static void show_time(const char *name, const Time *time) {
    printf("\"%s\":{\"sec\":%d,\"nanosec\":%u}", name, time->sec, time->nanosec);
}

static void show_header(const Header *header) {
    printf("\"header\":{");
    show_time("stamp", &header->stamp);
    putchar(',');
    show_text("frame_id", header->frame_id);
    putchar('}');
}

/* Messages, without the braces around them. */

static void show_clock(const void *sample) {
    show_time("clock", &((const rosgraph_msgs_msg_dds__Clock_ *)sample)->clock);
}

static void show_scan(const void *sample) {
    const sensor_msgs_msg_dds__LaserScan_ *scan = sample;
    const struct {
        const char *name;
        float number;
    } numbers[] = {
        {"angle_min", scan->angle_min},
        {"angle_max", scan->angle_max},
        {"angle_increment", scan->angle_increment},
        {"time_increment", scan->time_increment},
        {"scan_time", scan->scan_time},
        {"range_min", scan->range_min},
        {"range_max", scan->range_max},
    };
    show_header(&scan->header);
    for (size_t at = 0; at < sizeof numbers / sizeof *numbers; ++at) {
        putchar(',');
        show_float(numbers[at].name, numbers[at].number);
    }
    putchar(',');
    show_floats("ranges", scan->ranges._buffer, scan->ranges._length);
    putchar(',');
    show_floats("intensities", scan->intensities._buffer, scan->intensities._length);
}

static void show_imu(const void *sample) {
    const sensor_msgs_msg_dds__Imu_ *imu = sample;
    show_header(&imu->header);
    putchar(',');
    show_quaternion("orientation", &imu->orientation);
    putchar(',');
    show_doubles("orientation_covariance", imu->orientation_covariance, 9);
    putchar(',');
    show_vector("angular_velocity", &imu->angular_velocity);
    putchar(',');
    show_doubles("angular_velocity_covariance", imu->angular_velocity_covariance, 9);
    putchar(',');
    show_vector("linear_acceleration", &imu->linear_acceleration);
    putchar(',');
    show_doubles("linear_acceleration_covariance", imu->linear_acceleration_covariance, 9);
}

static void show_transform(const TransformStamped *stamped) {
    putchar('{');
    show_header(&stamped->header);
    putchar(',');
    show_text("child_frame_id", stamped->child_frame_id);
    printf(",\"transform\":{");
    show_vector("translation", &stamped->transform.translation);
    putchar(',');
    show_quaternion("rotation", &stamped->transform.rotation);
    printf("}}");
}

static void show_transforms(const void *sample) {
    const tf2_msgs_msg_dds__TFMessage_ *message = sample;
    printf("\"transforms\":[");
    for (uint32_t at = 0; at < message->transforms._length; ++at) {
        separate(at);
        show_transform(&message->transforms._buffer[at]);
    }
    putchar(']');
}

static void show_odometry(const void *sample) {
    const nav_msgs_msg_dds__Odometry_ *odometry = sample;
    const geometry_msgs_msg_dds__Pose_ *pose = &odometry->pose.pose;
    show_header(&odometry->header);
    putchar(',');
    show_text("child_frame_id", odometry->child_frame_id);
    printf(",\"pose\":{\"pose\":{");
    show_axes("position", "xyz", pose->position.x, pose->position.y, pose->position.z);
    putchar(',');
    show_quaternion("orientation", &pose->orientation);
    printf("},");
    show_doubles("covariance", odometry->pose.covariance, 36);
    printf("},\"twist\":{\"twist\":{");
    show_vector("linear", &odometry->twist.twist.linear);
    putchar(',');
    show_vector("angular", &odometry->twist.twist.angular);
    printf("},");
    show_doubles("covariance", odometry->twist.covariance, 36);
    putchar('}');
}

/* The data of a cloud is printed as its length and how many leading bytes equal the lowest byte of the width. */
static void show_cloud(const void *sample) {
    const sensor_msgs_msg_dds__PointCloud2_ *cloud = sample;
    uint32_t bytes = cloud->data._length;
    uint32_t right = 0;
    while (right < bytes && cloud->data._buffer[right] == (uint8_t)cloud->width) {
        ++right;
    }
    show_header(&cloud->header);
    printf(",\"height\":%u,\"width\":%u,\"fields\":%u", cloud->height, cloud->width, cloud->fields._length);
    printf(",\"is_dense\":%s", cloud->is_dense ? "true" : "false");
    printf(",\"bytes\":%u,\"right\":%u", bytes, right);
}

struct Kind {
    const char *name;
    const dds_topic_descriptor_t *type;
    void (*show)(const void *sample);
};

static const struct Kind KINDS[] = {
    {"Clock", &rosgraph_msgs_msg_dds__Clock__desc, show_clock},
    {"LaserScan", &sensor_msgs_msg_dds__LaserScan__desc, show_scan},
    {"Imu", &sensor_msgs_msg_dds__Imu__desc, show_imu},
    {"TFMessage", &tf2_msgs_msg_dds__TFMessage__desc, show_transforms},
    {"Odometry", &nav_msgs_msg_dds__Odometry__desc, show_odometry},
    {"PointCloud2", &sensor_msgs_msg_dds__PointCloud2__desc, show_cloud},
};

struct Subscriber {
    const struct Kind *kind;
    const char *topic;
    dds_entity_t reader;
};

static const struct Kind *kind_of(const char *name) {
    for (size_t at = 0; at < sizeof KINDS / sizeof *KINDS; ++at) {
        if (strcmp(KINDS[at].name, name) == 0) {
            return &KINDS[at];
        }
    }
    fprintf(stderr, "no type `%s`\n", name);
    exit(2);
}

static struct Subscriber subscribe(dds_entity_t participant, dds_entity_t waitset, char **words) {
    const struct Kind *kind = kind_of(words[0]);
    bool is_reliable = strcmp(words[2], "1") == 0;
    dds_entity_t topic =
        checked("topic", dds_create_topic(participant, kind->type, words[1], NULL, NULL));
    dds_qos_t *qos = dds_create_qos();
    dds_qset_reliability(qos, is_reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT, DDS_SECS(1));
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, DEPTH);
    dds_entity_t reader = checked("reader", dds_create_reader(participant, topic, qos, NULL));
    dds_delete_qos(qos);
    dds_entity_t condition = checked("condition", dds_create_readcondition(reader, DDS_NOT_READ_SAMPLE_STATE));
    checked("waitset", dds_waitset_attach(waitset, condition, 0));
    return (struct Subscriber){kind, words[1], reader};
}

/* Prints the messages that have arrived. */
static void run(const struct Subscriber *subscriber) {
    void *samples[MOST_SAMPLES] = {NULL};
    dds_sample_info_t infos[MOST_SAMPLES];
    int count = checked("take", dds_take(subscriber->reader, samples, infos, MOST_SAMPLES, MOST_SAMPLES));
    for (int at = 0; at < count; ++at) {
        if (infos[at].valid_data) {
            putchar('{');
            show_text("topic", subscriber->topic);
            printf(",\"message\":{");
            subscriber->kind->show(samples[at]);
            printf("}}\n");
        }
    }
    if (count > 0) {
        checked("loan", dds_return_loan(subscriber->reader, samples, count));
    }
    fflush(stdout);
}

/* Prints the version of the header, and the path of the library that was loaded. */
static void introduce(void) {
    Dl_info found;
    char *path = NULL;
    if (dladdr((void *)dds_create_participant, &found) != 0) {
        path = realpath(found.dli_fname, NULL);
    }
    putchar('{');
    show_text("ready", DDS_VERSION);
    putchar(',');
    show_text("library", path == NULL ? "" : path);
    printf("}\n");
    fflush(stdout);
    free(path);
}

static bool is_over(void) {
    struct pollfd input = {.fd = 0, .events = POLLIN};
    return poll(&input, 1, 0) > 0;
}

int main(int argc, char **argv) {
    int count = (argc - 2) / 3;
    if (count < 1 || count > MOST_TOPICS || argc != 2 + 3 * count) {
        return 2;
    }
    dds_domainid_t domain = (dds_domainid_t)strtoul(argv[1], NULL, 10);
    checked("domain", dds_create_domain(domain, CONFIGURATION));
    dds_entity_t participant = checked("participant", dds_create_participant(domain, NULL, NULL));
    dds_entity_t waitset = checked("waitset", dds_create_waitset(participant));
    struct Subscriber subscribers[MOST_TOPICS];
    for (int at = 0; at < count; ++at) {
        subscribers[at] = subscribe(participant, waitset, &argv[2 + 3 * at]);
    }
    introduce();
    while (!is_over()) {
        checked("wait", dds_waitset_wait(waitset, NULL, 0, DDS_MSECS(100)));
        for (int at = 0; at < count; ++at) {
            run(&subscribers[at]);
        }
    }
    checked("the end", dds_delete(DDS_CYCLONEDDS_HANDLE));
    return 0;
}
