package dev.millrace.adapter.mqtt.outbound;

import dev.millrace.adapter.common.encode.RowFormat;
import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.mqtt.connect.ConnectionProperties;
import dev.millrace.adapter.mqtt.connect.MqttErrorCode;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventRejectedException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A topic with properties of the row: {@code plant/{line}/temperature}. Immutable.
 *
 * <p>Failure: a row whose value is null, empty, or contains {@code /}, {@code +} or {@code #} has no topic.
 */
final class TopicTemplate
{
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}]+)}");
    private static final int MAX_BYTES = 65_535;

    private final String stageName;
    /** The parts before, between and after the properties. */
    private final List<String> texts = new ArrayList<>();
    private final List<String> names = new ArrayList<>();

    /** @throws IllegalArgumentException if it cannot be a topic */
    TopicTemplate(final PropertyCheck check, final String template)
    {
        stageName = check.stageName();
        final String next = "write a topic such as plant/{line}/temperature";
        check.require("topic", template, template != null, next);
        final Matcher matcher = PLACEHOLDER.matcher(template);
        int from = 0;
        while (matcher.find())
        {
            texts.add(template.substring(from, matcher.start()));
            names.add(matcher.group(1).strip());
            from = matcher.end();
        }
        texts.add(template.substring(from));
        check.require("topic", template, texts.stream().noneMatch(text -> text.contains("{") || text.contains("}")),
            next);
        ConnectionProperties.checkTopic(check, "topic", matcher.replaceAll("x"));
    }

    /** The indexes of its properties. */
    int[] columns(final EventType type) throws EventRejectedException
    {
        final int[] columns = names.stream().mapToInt(type::indexOf).toArray();
        for (int i = 0; i < columns.length; i++)
        {
            if (columns[i] < 0)
            {
                throw new EventRejectedException(MqttErrorCode.EVENTS.message("events lack a property of the topic, " +
                    "stage=" + stageName + " type=" + type.name() + " property=" + names.get(i), "correct topic"));
            }
        }
        return columns;
    }

    /** The topic of a row. */
    String of(final EventBatch rows, final int row, final int[] columns) throws EventRejectedException
    {
        final StringBuilder topic = new StringBuilder(texts.get(0));
        for (int i = 0; i < columns.length; i++)
        {
            final String value = rows.isNull(columns[i], row) ? "" : RowFormat.text(rows, columns[i], row);
            if (value.isEmpty() || value.chars().anyMatch(each -> "/+#\0".indexOf(each) >= 0))
            {
                throw new EventRejectedException(MqttErrorCode.EVENTS.message("a value cannot be a level of a topic, " +
                    "stage=" + stageName + " property=" + names.get(i) + " value=" + value,
                    "use values that are not empty and contain none of / + #"));
            }
            topic.append(value).append(texts.get(i + 1));
        }
        if (topic.length() > MAX_BYTES / 3)
        {
            throw new EventRejectedException(MqttErrorCode.EVENTS.message("a topic is too long, stage=" + stageName +
                " chars=" + topic.length(), "use shorter values"));
        }
        return topic.toString();
    }
}
