package dev.millrace.adapter.common.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows and reasons of rejections. */
@Timeout(60)
class JsonDecoderTest
{
    private static final EventType TYPE = EventType.tuple("Row", new EventProperty("id", CqlType.BIGINT),
        new EventProperty("price", CqlType.DOUBLE), new EventProperty("name", CqlType.CHAR),
        new EventProperty("isOpen", CqlType.BOOLEAN), new EventProperty("size", CqlType.INT));

    private final EventBatch batch = new EventBatch(new BatchSchema(TYPE));
    private final RowWriter writer = new RowWriter(batch, new int[] {0, 1, 2, 3, 4});
    private final JsonDecoder lines = new JsonDecoder(writer, TYPE, true);

    private List<Object> row(final int row)
    {
        final List<Object> values = new ArrayList<>();
        for (int column = 0; column < TYPE.properties().size(); column++)
        {
            values.add(batch.value(column, row));
        }
        return values;
    }

    /** The values of the row, or the reason for which it was rejected. */
    private Object decode(final JsonDecoder decoder, final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        batch.clear();
        assertThat(decoder.decode(bytes, 0, bytes.length, true, 0)).isEqualTo(bytes.length);
        return switch (decoder.outcome())
        {
            case ROW -> row(0);
            case BLANK -> "blank";
            case REJECTED -> decoder.reason();
        };
    }

    private Object decode(final String text)
    {
        return decode(lines, text);
    }

    @Test
    void shouldWriteMembersToTheirColumnsInAnyOrder()
    {
        assertThat(decode("{\"id\":7,\"price\":2.5,\"name\":\"a\",\"isOpen\":true,\"size\":-1}"))
            .isEqualTo(List.of(7L, 2.5, "a", true, -1));
        assertThat(decode("{\"size\":1,\"isOpen\":false,\"name\":\"\\u20ac\",\"price\":\"NaN\",\"id\":8}"))
            .isEqualTo(List.of(8L, Double.NaN, "\u20ac", false, 1));
        assertThat(decode("{\"na\\u006de\":\"b\",\"id\":9,\"price\":null,\"x\":{\"id\":1},\"name2\":[2]}"))
            .isEqualTo(Arrays.asList(9L, null, "b", null, null));
        assertThat(decode("{}")).isEqualTo(Collections.nCopies(5, null));
        assertThat(decode("{\"name\":\"\"}")).isEqualTo(Collections.nCopies(5, null));
        assertThat(decode(" \t\r")).isEqualTo("blank");
    }

    @Test
    void shouldRejectForTheFirstReason()
    {
        assertThat(decode("{\"id\":\"7\"}")).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decode("{\"id\":7.5}")).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decode("{\"name\":7}")).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decode("{\"price\":\"2.5\"}")).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decode("{\"isOpen\":1}")).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(decode("{\"id\":{}}")).isEqualTo(RejectReason.NESTED_VALUE);
        assertThat(decode("{\"id\":1,\"id\":2}")).isEqualTo(RejectReason.EXCESS_FIELD);
        assertThat(decode("{\"id\":\"7\"")).isEqualTo(RejectReason.BROKEN_JSON);
        assertThat(decode(new JsonDecoder(writer, TYPE, false), "{\"id\":1}")).isEqualTo(RejectReason.MISSING_FIELD);
    }

    @Test
    void shouldRejectInvalidBytesWhereverTheyAre()
    {
        for (final byte[] bytes : List.of(new byte[] {'{', '"', (byte)0xff, '"', ':', '1', '}'},
            new byte[] {'{', '"', 'a', '"', ':', '"', (byte)0xc3, '"', '}'}))
        {
            assertThat(lines.decode(bytes, 0, bytes.length, true, 0)).isEqualTo(bytes.length);
            assertThat(lines.reason()).isEqualTo(RejectReason.INVALID_BYTES);
        }
    }

    @Test
    void shouldEndARecordAtTheLineOrAtTheEndOfTheMessage()
    {
        final byte[] bytes = "{\"id\":\n1}".getBytes(StandardCharsets.UTF_8);
        assertThat(lines.decode(bytes, 0, bytes.length, true, 0)).isEqualTo(7);
        assertThat(lines.reason()).isEqualTo(RejectReason.BROKEN_JSON);
        assertThat(lines.decode(bytes, 0, 4, false, 0)).isEqualTo(RowDecoder.INCOMPLETE);
        assertThat(decode(new JsonDecoder(writer, TYPE, true, false), "{\"id\":\n1}"))
            .isEqualTo(Arrays.asList(1L, null, null, null, null));
        assertThat(decode(new JsonDecoder(writer, TYPE, true, false), "{\"name\":\"a\nb\"}"))
            .isEqualTo(RejectReason.BROKEN_JSON);
    }

    @Test
    void shouldFindTheColumnsOfWideRowsInEachOrder()
    {
        final int width = 300;
        final List<EventProperty> properties = IntStream.range(0, width)
            .mapToObj(i -> new EventProperty("column" + i, CqlType.INT)).toList();
        final EventType wide = EventType.tuple("Wide", properties.toArray(EventProperty[]::new));
        final EventBatch rows = new EventBatch(new BatchSchema(wide));
        final JsonDecoder decoder = new JsonDecoder(new RowWriter(rows, IntStream.range(0, width).toArray()), wide,
            false);
        final List<Integer> order = new ArrayList<>(IntStream.range(0, width).boxed().toList());
        for (int round = 0; round < 20; round++)
        {
            Collections.shuffle(order, new Random(round / 2));
            final StringBuilder text = new StringBuilder("{\"none\":0");
            order.forEach(i -> text.append(",\"column").append(i).append("\":").append(i * 7).append(",\"column")
                .append(i).append("x\":\"y\""));
            final byte[] bytes = text.append('}').toString().getBytes(StandardCharsets.UTF_8);
            decoder.decode(bytes, 0, bytes.length, true, 0);
            assertThat(decoder.outcome()).as(decoder.detail()).isEqualTo(RowDecoder.Outcome.ROW);
            for (int i = 0; i < width; i++)
            {
                assertThat(rows.ints(i)[0]).isEqualTo(i * 7);
            }
        }
    }
}
