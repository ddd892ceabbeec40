package dev.millrace.adapter.mqtt.outbound;

import dev.millrace.adapter.common.encode.FormatSettings;
import dev.millrace.adapter.mqtt.connect.ConnectionSettings;

/**
 * The settings of a sink. Immutable.
 *
 * @param connection     how it connects
 * @param topic          of messages
 * @param qos            0 to 2
 * @param isRetained     whether the broker keeps the last message of each topic for later subscribers
 * @param isCsv          whether payloads are CSV instead of JSON
 * @param format         of payloads
 * @param maxRetryMillis maximum time between two attempts to connect
 */
record SinkSettings(ConnectionSettings connection, TopicTemplate topic, int qos, boolean isRetained, boolean isCsv,
    FormatSettings format, int maxRetryMillis)
{
}
