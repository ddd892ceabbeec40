package dev.millrace.adapter.jms.inbound;

import dev.millrace.adapter.common.decode.PayloadFormat;
import dev.millrace.adapter.jms.connect.ConnectionSettings;
import dev.millrace.adapter.jms.connect.DestinationSettings;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.List;

/**
 * The settings of a source. Immutable.
 *
 * @param stageName           application and stage
 * @param connection          how it connects
 * @param destination         queue or topic that it reads
 * @param deadLetters         where rejected messages go; {@code null} for nowhere
 * @param selector            which messages it receives; {@code null} for all
 * @param subscription        name of a durable subscription of a topic; {@code null} for none
 * @param isShared            whether several consumers share the subscription
 * @param acknowledgement     when messages are acknowledged
 * @param transactionMessages maximum number of messages in a transaction
 * @param storedMillis        how long the stages below may take to store rows
 * @param format              of text and bytes messages
 * @param columns             properties that are read; {@code null} for all
 * @param messageIdColumn     property that receives the id of the message; {@code null} for none
 * @param hasHeader           whether CSV begins with the names of the columns
 * @param separator           of CSV
 * @param nullText            further representation of null in CSV; {@code null} for none
 * @param isMissingNull       whether a missing value is null
 * @param charset             of bytes messages
 * @param maxMessageBytes     maximum size of a body
 * @param maxRetryMillis      maximum time between two attempts to connect
 * @param numbers             file with the numbers of messages
 */
record SourceSettings(String stageName, ConnectionSettings connection, DestinationSettings destination,
    DestinationSettings deadLetters, String selector, String subscription, boolean isShared,
    Acknowledgement acknowledgement, int transactionMessages, int storedMillis, PayloadFormat format,
    List<String> columns, String messageIdColumn, boolean hasHeader, char separator, String nullText,
    boolean isMissingNull, Charset charset, int maxMessageBytes, int maxRetryMillis, Path numbers)
{
}
