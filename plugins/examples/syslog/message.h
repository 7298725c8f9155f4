/* One point as a message of RFC 5424. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stddef.h>

#include <sonde_plugin.h>

/* What every receiver has to take over UDP is 480 bytes, what one should take 2,048: RFC 5424, 6.1. */
#define MESSAGE_SIZE 2048

/* Writes the message without an end and returns its size; 0 when it would be longer than MESSAGE_SIZE. */
size_t write_message(char message[MESSAGE_SIZE], unsigned priority, const sonde_batch *batch, const sonde_point *point,
                     const sonde_batch_series *series);

#endif
