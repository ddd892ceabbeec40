package dev.millrace.adapter.mqtt.inbound;

import dev.millrace.adapter.common.decode.PayloadFormat;
import dev.millrace.adapter.mqtt.connect.ConnectionSettings;
import java.nio.charset.Charset;
import java.util.List;

/**
 * The settings of a source. Immutable.
 *
 * @param stageName      application and stage
 * @param connection     how it connects
 * @param filters        topic filters of its subscriptions
 * @param qos            highest QoS of messages
 * @param deadLetters    topic of rejected messages; {@code null} for none
 * @param storedMillis   how long the stages below may take to store rows
 * @param format         of payloads
 * @param columns        properties that are read; {@code null} for all
 * @param topicColumn    property that receives the topic; {@code null} for none
 * @param hasHeader      whether CSV begins with the names of the columns
 * @param separator      of CSV
 * @param nullText       further representation of null in CSV; {@code null} for none
 * @param isMissingNull  whether a missing value is null
 * @param charset        of payloads
 * @param maxMessageBytes maximum size of a payload
 * @param maxRetryMillis maximum time between two attempts to connect
 */
record SourceSettings(String stageName, ConnectionSettings connection, List<String> filters, int qos,
    String deadLetters, int storedMillis, PayloadFormat format, List<String> columns, String topicColumn,
    boolean hasHeader, char separator, String nullText, boolean isMissingNull, Charset charset, int maxMessageBytes,
    int maxRetryMillis)
{
}
