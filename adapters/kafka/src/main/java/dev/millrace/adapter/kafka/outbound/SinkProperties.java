package dev.millrace.adapter.kafka.outbound;

import dev.millrace.adapter.common.encode.FormatProperties;
import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.kafka.avro.AvroSettings;
import dev.millrace.adapter.kafka.property.HeaderColumns;
import dev.millrace.adapter.kafka.property.KafkaErrorCode;
import java.time.Duration;
import java.util.Set;

/** The instance properties of a sink as set, and their validation. Not thread-safe. */
final class SinkProperties
{
    private static final int MAX_MILLIS = 3_600_000;
    /** A transaction must end before the brokers abort it. */
    private static final int MAX_COMMIT_MILLIS = 30_000;
    private static final int MAX_COMMIT_ROWS = 1_000_000;
    private static final int MIN_ANSWER_MILLIS = 100;
    private static final int MAX_ANSWER_MILLIS = 60_000;

    final FormatProperties format = new FormatProperties();
    String servers;
    String topic;
    String valueFormat = "json";
    String schemaFile;
    String schemaRegistry;
    Integer schemaId;
    String keyColumn;
    String partitionColumn;
    String headerColumns;
    String acks = "all";
    boolean waitForAcks = true;
    boolean exactlyOnce;
    String positionTopic = "millrace-positions";
    String transactionalId;
    int commitMillis = 100;
    int commitRows = 10_000;
    int answerMillis = 5000;
    int maxRetryMillis = 5000;

    /**
     * Validates all properties.
     *
     * @throws IllegalArgumentException for the first invalid property, with code and next step
     */
    SinkSettings check(final String application, final String stage)
    {
        final PropertyCheck check = new PropertyCheck(KafkaErrorCode.PROPERTY, application + '/' + stage);
        check.require("servers", servers, servers != null && !servers.isBlank(),
            "list addresses of brokers such as broker1:9092, broker2:9092");
        check.require("topic", topic, topic != null && !topic.isBlank(), "name the topic that receives the records");
        check.require("format", valueFormat, Set.of("json", "csv", "wire", "avro").contains(valueFormat),
            "use json, csv, wire or avro");
        check.require("timeColumn", format.timeColumn, !isBinary() || format.timeColumn == null,
            "leave it out: values of this format contain properties only");
        check.require("kindColumn", format.kindColumn, !isBinary() || format.kindColumn == null,
            "leave it out, or use json or csv: values of this format contain properties only");
        check.require("acks", acks, Set.of("all", "1", "0").contains(acks), "use all, 1 or 0");
        check.require("acks", acks, !exactlyOnce || acks.equals("all"), "use all with exactlyOnce");
        check.require("acks", acks, !acks.equals("0") || !waitForAcks, "use all or 1, or set waitForAcks to false");
        check.range("commitMillis", commitMillis, 1, MAX_COMMIT_MILLIS);
        check.range("commitRows", commitRows, 1, MAX_COMMIT_ROWS);
        check.range("answerMillis", answerMillis, MIN_ANSWER_MILLIS, MAX_ANSWER_MILLIS);
        check.range("maxRetryMillis", maxRetryMillis, 1, MAX_MILLIS);
        check.require("positionTopic", positionTopic, !positionTopic.isBlank(), "name a topic for numbers of rows");
        final AvroSettings avro = AvroSettings.check(check, valueFormat.equals("avro"), schemaFile, schemaRegistry,
            Duration.ofMillis(answerMillis));
        check.require("schemaId", String.valueOf(schemaId), schemaId == null == (schemaRegistry == null),
            "set it together with schemaRegistry");
        // A header would be a record.
        format.header = false;
        return new SinkSettings(check, servers.strip(), topic.strip(), format.check(check), keyColumn,
            partitionColumn, HeaderColumns.of(check, headerColumns), acks, waitForAcks, exactlyOnce,
            positionTopic.strip(), transactionalId == null ? application + '.' + stage : transactionalId.strip(),
            commitMillis, commitRows, Duration.ofMillis(answerMillis), maxRetryMillis, avro, schemaId);
    }

    private boolean isBinary()
    {
        return valueFormat.equals("wire") || valueFormat.equals("avro");
    }
}
