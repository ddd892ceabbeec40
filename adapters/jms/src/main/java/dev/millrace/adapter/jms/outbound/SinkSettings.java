package dev.millrace.adapter.jms.outbound;

import dev.millrace.adapter.common.encode.FormatSettings;
import dev.millrace.adapter.jms.connect.ConnectionSettings;
import dev.millrace.adapter.jms.connect.DestinationSettings;

/**
 * The settings of a sink. Immutable.
 *
 * @param stageName      application and stage
 * @param connection     how it connects
 * @param destination    queue or topic to which it sends
 * @param isTransacted   whether a batch is a transaction
 * @param deliveryMode   {@code DeliveryMode.PERSISTENT} or another mode
 * @param priority       0 to 9
 * @param timeToLiveMs   how long the broker keeps messages; 0 without limit
 * @param messageType    kind of messages
 * @param isCsv          whether text is CSV instead of JSON
 * @param format         of text
 * @param maxRetryMillis maximum time between two attempts to connect
 */
record SinkSettings(String stageName, ConnectionSettings connection, DestinationSettings destination,
    boolean isTransacted, int deliveryMode, int priority, long timeToLiveMs, MessageType messageType, boolean isCsv,
    FormatSettings format, int maxRetryMillis)
{
}
