package dev.millrace.adapter.kafka.inbound;

import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.kafka.avro.AvroSettings;
import dev.millrace.adapter.kafka.property.HeaderColumns;
import dev.millrace.adapter.kafka.property.KafkaErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** The instance properties of a source as set, and their validation. Not thread-safe. */
final class SourceProperties
{
    private static final int MAX_MILLIS = 3_600_000;
    private static final int MAX_VALUE_BYTES = 1 << 30;
    private static final int MAX_THREADS = 64;
    private static final int MIN_ANSWER_MILLIS = 100;
    /** A source must be able to stop within 10 seconds. */
    private static final int MAX_ANSWER_MILLIS = 8000;
    private static final int MAX_PARTITIONS = 100_000;
    private static final String RANGES = "list numbers and ranges such as 0-3, 7";
    private static final Pattern RANGE = Pattern.compile("(\\d{1,6})(?:-(\\d{1,6}))?");

    String servers;
    String topics;
    String topicPattern;
    String partitions;
    String group;
    String start = "earliest";
    String format = "json";
    String schemaFile;
    String schemaRegistry;
    String columns;
    String separator = ",";
    String nullText;
    String missing = "reject";
    String timeColumn;
    String keyColumn;
    String headerColumns;
    int maxValueBytes = 1 << 20;
    String deadLetterTopic;
    int threads = 1;
    int commitMillis = 1000;
    int answerMillis = 5000;
    int maxRetryMillis = 10_000;
    private PropertyCheck check;

    /**
     * Validates all properties.
     *
     * @throws IllegalArgumentException for the first invalid property, with code and next step
     */
    SourceSettings check(final String application, final String stage)
    {
        check = new PropertyCheck(KafkaErrorCode.PROPERTY, application + '/' + stage);
        check.require("servers", servers, servers != null && !servers.isBlank(),
            "list addresses of brokers such as broker1:9092, broker2:9092");
        final List<String> checkedTopics = topics();
        final StartPosition checkedStart = StartPosition.of(start);
        check.require("start", start, checkedStart != null,
            "use earliest, latest or an instant such as 2026-11-30T08:00:00Z");
        check.range("maxValueBytes", maxValueBytes, 1, MAX_VALUE_BYTES);
        check.range("threads", threads, 1, MAX_THREADS);
        check.range("commitMillis", commitMillis, 1, MAX_MILLIS);
        check.range("answerMillis", answerMillis, MIN_ANSWER_MILLIS, MAX_ANSWER_MILLIS);
        check.range("maxRetryMillis", maxRetryMillis, 1, MAX_MILLIS);
        final char checkedSeparator = check.separator(separator);
        check.require("separator", separator, checkedSeparator < 128, "use an ASCII character");
        return new SourceSettings(check, servers.strip(), group == null ? application + '.' + stage : group.strip(),
            checkedTopics, pattern(), partitions(), checkedStart,
            check.names("columns", columns, "list properties, separated by commas, or leave it out for all"),
            checkedSeparator, nullText, check.is("missing", missing, "null", "reject"), timeColumn, keyColumn,
            HeaderColumns.of(check, headerColumns), maxValueBytes, deadLetterTopic, commitMillis,
            Duration.ofMillis(answerMillis), maxRetryMillis, AvroSettings.check(check, format() == ValueFormat.AVRO,
            schemaFile, schemaRegistry, Duration.ofMillis(answerMillis)));
    }

    private List<String> topics()
    {
        final List<String> names =
            topics == null ? List.of() : check.names("topics", topics, "list the topics, separated by commas");
        check.require("topics", null, !names.isEmpty() || topicPattern != null, "name the topics, or set topicPattern");
        check.require("topicPattern", topicPattern, names.isEmpty() || topicPattern == null, "leave it out, or topics");
        return names;
    }

    private Pattern pattern()
    {
        try
        {
            return topicPattern == null ? null : Pattern.compile(topicPattern);
        }
        catch (final PatternSyntaxException e)
        {
            throw check.wrong("topicPattern", topicPattern,
                "use a regular expression such as orders-.*");
        }
    }

    private List<Integer> partitions()
    {
        if (partitions == null)
        {
            return null;
        }
        check.require("partitions", partitions, topicPattern == null,
            "leave it out, or set topics instead of topicPattern");
        final List<Integer> numbers = new ArrayList<>();
        for (final String part : check.names("partitions", partitions, RANGES))
        {
            final Matcher range = RANGE.matcher(part);
            final boolean isRange = range.matches();
            final int first = isRange ? Integer.parseInt(range.group(1)) : 0;
            final int last = !isRange || range.group(2) == null ? first : Integer.parseInt(range.group(2));
            check.require("partitions", part, isRange && first <= last && last < MAX_PARTITIONS,
                RANGES);
            for (int number = first; number <= last; number++)
            {
                check.require("partitions", part, !numbers.contains(number), "list each partition once");
                numbers.add(number);
            }
        }
        return numbers;
    }

    /** The format of the values; after {@link #check(String, String)}. */
    ValueFormat format()
    {
        return check.choice(ValueFormat.class, "format", format, "use json, csv, wire or avro");
    }
}
