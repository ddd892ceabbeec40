package dev.millrace.network.durable;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.network.partition.RowDecoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decodes the records of the journal of a unit without its rules: the columns are those of the descriptions at the
 * beginning of each file. Receives the records in order, from the beginning of a file. Confined to one thread.
 *
 * <p>Failure: malformed bytes cause {@link IllegalArgumentException} or {@link java.nio.BufferUnderflowException};
 * later records can be decoded.
 */
public final class RecordDecoder
{
    /** A group needs a column even if its records contain none. */
    private static final List<EventProperty> NO_COLUMNS = List.of(new EventProperty("none", CqlType.INT));

    private final Map<Integer, Group> groups = new HashMap<>();
    private final Map<Integer, String> producers = new HashMap<>();
    private ByteBuffer content;
    private byte kind;
    private int number;
    private long recordedNs;
    private long outputNumber;
    private String output;
    private int form;

    /** A group that was described. */
    private record Group(GroupDescription description, RowDecoder decoder)
    {
    }

    /**
     * Starts to decode a record.
     *
     * @param bytes  lent until the next call
     * @param length number of bytes, from index 0
     */
    public void begin(final byte[] bytes, final int length)
    {
        content = ByteBuffer.wrap(bytes, 0, length).order(ByteOrder.LITTLE_ENDIAN);
        kind = content.get();
        number = content.getInt();
        switch (kind)
        {
            case RecordKind.GROUP -> groups.put(number, group(GroupDescription.parse(text())));
            case RecordKind.PRODUCER -> producers.put(number, text());
            case RecordKind.OUTPUT ->
            {
                outputNumber = content.getLong();
                output = text();
            }
            case RecordKind.RULES -> content.position(length);
            case RecordKind.ROWS, RecordKind.TIME, RecordKind.CLEAR -> described();
            case RecordKind.RECORDED_ROWS ->
            {
                described();
                recordedNs = content.getLong();
            }
            case RecordKind.ANSWER ->
            {
                described();
                form = content.get();
            }
            default -> throw new IllegalArgumentException("not a kind of record, kind=" + kind);
        }
    }

    private void described()
    {
        if (!groups.containsKey(number))
        {
            throw new IllegalArgumentException("no description of a group, group=" + number);
        }
    }

    private static Group group(final GroupDescription description)
    {
        final boolean isEmpty = description.columns().isEmpty();
        final EventType type = new EventType(description.name(), EventType.Kind.TUPLE,
            isEmpty ? NO_COLUMNS : description.columns(), null);
        return new Group(description, RowDecoder.forJournal(new BatchSchema(type), column -> !isEmpty));
    }

    private String text()
    {
        return StandardCharsets.UTF_8.decode(content).toString();
    }

    /** Kind of the record, of {@link RecordKind}. */
    public byte kind()
    {
        return kind;
    }

    /** Number of the group, id of the producer, or version of the rules; 0 for {@link RecordKind#OUTPUT}. */
    public int number()
    {
        return number;
    }

    /**
     * Description of the group of the record; not for {@link RecordKind#PRODUCER}, {@link RecordKind#OUTPUT} and {@link
     * RecordKind#RULES}.
     */
    public GroupDescription group()
    {
        return groups.get(number).description();
    }

    /** Name of a producer; {@code null} if the records so far do not contain it. */
    public String producer(final int id)
    {
        return producers.get(id);
    }

    /** Name of the output of a record of {@link RecordKind#OUTPUT}. */
    public String output()
    {
        return output;
    }

    /** Number of the last row of that output. */
    public long outputNumber()
    {
        return outputNumber;
    }

    /** The time at which the rows of a record of {@link RecordKind#RECORDED_ROWS} were recorded. */
    public long recordedNs()
    {
        return recordedNs;
    }

    /** The {@link AnswerForm} of a record of {@link RecordKind#ANSWER}. */
    public int form()
    {
        return form;
    }

    /** Reason and text of an answer that is a rejection, once. */
    public String rejection()
    {
        return sizedText() + ": " + sizedText();
    }

    private String sizedText()
    {
        final int length = content.getInt();
        if (length < 0 || length > content.remaining())
        {
            throw new IllegalArgumentException("not the length of a text, length=" + length);
        }
        final byte[] bytes = new byte[length];
        content.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /**
     * Decodes the rows of a record of {@link RecordKind#ROWS} or {@link RecordKind#RECORDED_ROWS}, or of an answer with
     * rows, once.
     *
     * @return columns as in the description, or one column of zeros if it has none; valid until the next call
     */
    public EventBatch rows()
    {
        return groups.get(number).decoder().decode(content);
    }

    /** Number of the rows of a record of {@link RecordKind#ROWS} or {@link RecordKind#RECORDED_ROWS}, not decoded. */
    public int rowCount()
    {
        return RowDecoder.rowCount(content);
    }

    /** Decodes the time of a record of {@link RecordKind#TIME}, once. */
    public long timeNs()
    {
        return content.getLong();
    }
}
