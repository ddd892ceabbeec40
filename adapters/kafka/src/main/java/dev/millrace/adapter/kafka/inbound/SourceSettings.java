package dev.millrace.adapter.kafka.inbound;

import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.kafka.avro.AvroSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The checked instance properties of a source. Immutable.
 *
 * @param check          for further properties; has application and stage, which are part of the names of producers
 * @param servers        addresses of brokers
 * @param group          in which positions are committed
 * @param topics         that are read; empty if {@code topicPattern} is set
 * @param topicPattern   of the names of topics; {@code null} for none
 * @param partitions     of each topic that are assigned; {@code null} if the members of the group share the partitions
 * @param start          where to begin without a position
 * @param columns        properties that the value of a record contains; {@code null} for all others
 * @param separator      of CSV
 * @param nullText       a further representation of null in CSV; {@code null} for none
 * @param isMissingNull  whether a missing field is null instead of a reason to reject the record
 * @param timeColumn     property that receives the time of the record; {@code null} for none
 * @param keyColumn      property that receives the key; {@code null} for none
 * @param headerColumns  properties that receive headers, by the names of these
 * @param maxValueBytes  of a value
 * @param deadLetterTopic that receives rejected records; {@code null} for none
 * @param commitMillis   time between two commits
 * @param answer         time in which brokers must answer
 * @param maxRetryMillis maximum time between two attempts
 * @param avro           where schemas are; {@code null} for other formats
 */
record SourceSettings(PropertyCheck check, String servers, String group, List<String> topics, Pattern topicPattern,
    List<Integer> partitions, StartPosition start, List<String> columns, char separator, String nullText,
    boolean isMissingNull, String timeColumn, String keyColumn, Map<String, String> headerColumns, int maxValueBytes,
    String deadLetterTopic, int commitMillis, Duration answer, int maxRetryMillis, AvroSettings avro)
{
    /** Application and stage. */
    String stageName()
    {
        return check.stageName();
    }
}
