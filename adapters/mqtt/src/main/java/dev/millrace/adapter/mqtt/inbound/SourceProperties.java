package dev.millrace.adapter.mqtt.inbound;

import com.hivemq.client.mqtt.datatypes.MqttTopicFilter;
import dev.millrace.adapter.common.decode.PayloadFormat;
import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.mqtt.connect.ConnectionProperties;
import dev.millrace.adapter.mqtt.connect.MqttErrorCode;
import dev.millrace.api.secret.NamedSecrets;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The instance properties of a source as set, and their validation. Not thread-safe. */
final class SourceProperties
{
    private static final Logger LOG = LoggerFactory.getLogger(SourceProperties.class);
    private static final int MAX_MILLIS = 3_600_000;
    private static final int MIN_BYTES = 16;
    private static final int MAX_BYTES = 16 << 20;

    final ConnectionProperties connection = new ConnectionProperties();
    String topics;
    int qos = 1;
    String deadLetterTopic;
    int storedMillis = 30_000;
    String format = "json";
    String columns;
    String topicColumn;
    boolean header;
    String separator = ",";
    String nullText;
    String missing = "reject";
    String charset = "UTF-8";
    int maxMessageBytes = 1 << 20;
    int maxRetryMillis = 10_000;

    /**
     * Validates all properties.
     *
     * @throws IllegalArgumentException for the first invalid property, with code and next step
     */
    SourceSettings check(final PropertyCheck check, final NamedSecrets secrets)
    {
        check.range("qos", qos, 0, 2);
        check.range("storedMillis", storedMillis, 1, MAX_MILLIS);
        check.range("maxMessageBytes", maxMessageBytes, MIN_BYTES, MAX_BYTES);
        check.range("maxRetryMillis", maxRetryMillis, 1, MAX_MILLIS);
        final char checkedSeparator = check.separator(separator);
        check.require("separator", separator, checkedSeparator < 128, "use an ASCII character");
        if (deadLetterTopic != null)
        {
            ConnectionProperties.checkTopic(check, "deadLetterTopic", deadLetterTopic);
        }
        if (qos == 0 || connection.cleanStart || connection.sessionExpirySeconds == 0)
        {
            LOG.warn(MqttErrorCode.UNSAFE.message("messages that arrive while the source is not connected, or are in " +
                "the process when it ends, are lost, stage=" + check.stageName() + " qos=" + qos + " cleanStart=" +
                connection.cleanStart, "use QoS 1 or 2, cleanStart=false and sessionExpirySeconds if that matters"));
        }
        return new SourceSettings(check.stageName(), connection.check(check, secrets), filters(check), qos,
            deadLetterTopic, storedMillis,
            check.choice(PayloadFormat.class, "format", format, "use json, jsonlines or csv"),
            check.names("columns", columns, "list properties, separated by commas; - skips a field of CSV"),
            topicColumn, header, checkedSeparator, nullText, check.is("missing", missing, "null", "reject"),
            charset(check), maxMessageBytes, maxRetryMillis);
    }

    private List<String> filters(final PropertyCheck check)
    {
        final String next = "list topic filters such as plant/+/temperature or $share/GROUP/plant/#, separated by " +
            "commas";
        check.require("topics", topics, topics != null, next);
        final List<String> filters = check.names("topics", topics, next);
        for (final String each : filters)
        {
            try
            {
                MqttTopicFilter.of(each);
            }
            catch (final IllegalArgumentException e)
            {
                throw check.wrong("topics", each, next);
            }
        }
        return filters;
    }

    private Charset charset(final PropertyCheck check)
    {
        try
        {
            return Charset.forName(charset.strip());
        }
        catch (final IllegalCharsetNameException | UnsupportedCharsetException e)
        {
            throw check.wrong("charset", charset, "use a charset such as UTF-8 or ISO-8859-1");
        }
    }
}
