package dev.millrace.adapter.kafka.outbound;

import dev.millrace.adapter.common.encode.FormatSettings;
import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.kafka.avro.AvroSettings;
import java.time.Duration;
import java.util.Map;

/**
 * The checked instance properties of a sink. Immutable.
 *
 * @param check           for further properties; has application and stage
 * @param servers         addresses of brokers
 * @param topic           that receives the records
 * @param format          of the values
 * @param keyColumn       property that is the key of records; {@code null} for none
 * @param partitionColumn property that is the number of the partition; {@code null} if the key selects it
 * @param headerColumns   properties that are headers, by the names of these
 * @param acks            which brokers confirm a record: {@code all}, {@code 1} or {@code 0}
 * @param isConfirmed     whether the sink waits until the brokers have confirmed the records of a batch
 * @param exactlyOnce     whether records and numbers of rows are written in transactions
 * @param positionTopic   that receives the numbers of rows
 * @param transactionalId of the transactions
 * @param commitMillis    time between two commits
 * @param commitRows      maximum number of rows of a transaction
 * @param answer          time in which brokers must answer
 * @param maxRetryMillis  maximum time between two attempts
 * @param avro            where the schema is; {@code null} for other formats
 * @param schemaId        of the schema in the registry; {@code null} for none
 */
record SinkSettings(PropertyCheck check, String servers, String topic, FormatSettings format, String keyColumn,
    String partitionColumn, Map<String, String> headerColumns, String acks, boolean isConfirmed, boolean exactlyOnce,
    String positionTopic, String transactionalId, int commitMillis, int commitRows, Duration answer,
    int maxRetryMillis, AvroSettings avro, Integer schemaId)
{
    /** Application and stage. */
    String stageName()
    {
        return check.stageName();
    }
}
