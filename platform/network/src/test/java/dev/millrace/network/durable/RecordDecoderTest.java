package dev.millrace.network.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.network.partition.RowEncoder;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RecordDecoderTest
{
    private static final EventProperty[] COLUMNS = Arrays.stream(CqlType.values())
        .map(type -> new EventProperty("a " + type.cqlName(), type)).toArray(EventProperty[]::new);

    private final BatchSchema schema = new BatchSchema(EventType.tuple("Order", COLUMNS));
    private final RecordDecoder decoder = new RecordDecoder();

    private void begin(final ByteBuffer record)
    {
        decoder.begin(record.array(), record.position());
    }

    private static ByteBuffer record(final byte kind, final int number)
    {
        return ByteBuffer.allocate(1 << 14).order(ByteOrder.LITTLE_ENDIAN).put(kind).putInt(number);
    }

    private void describe(final int number, final IntPredicate columns)
    {
        final String text = GroupDescription.of("orders", schema, columns).text();
        begin(record(RecordKind.GROUP, number).put(text.getBytes(StandardCharsets.UTF_8)));
    }

    private EventBatch batch()
    {
        final EventBatch batch = new EventBatch(schema);
        batch.texts(schema.type().indexOf("a char")).set(0, "tea");
        batch.ints(0)[0] = 7;
        batch.size(1);
        return batch;
    }

    private void rows(final int number, final IntPredicate columns)
    {
        begin(RowEncoder.forJournal(schema, columns).encode(batch(), record(RecordKind.ROWS, number)));
    }

    @Test
    void shouldDecodeRowsOfEachTypeByTheirDescription()
    {
        describe(3, column -> true);
        assertThat(decoder.group().columns()).containsExactly(COLUMNS);
        rows(3, column -> true);
        final EventBatch decoded = decoder.rows();
        assertThat(decoded.size()).isEqualTo(1);
        for (int column = 0; column < COLUMNS.length; column++)
        {
            assertThat(decoded.value(column, 0)).isEqualTo(batch().value(column, 0));
        }
    }

    @Test
    void shouldDecodeOnlyTheColumnsOfTheDescription()
    {
        final int text = schema.type().indexOf("a char");
        describe(1, column -> column == text);
        rows(1, column -> column == text);
        assertThat(decoder.rows().value(0, 0)).isEqualTo("tea");
        describe(2, column -> false);
        rows(2, column -> false);
        assertThat(decoder.group().columns()).isEmpty();
        assertThat(decoder.rows().size()).isEqualTo(1);
    }

    @Test
    void shouldDecodeTimesAndNamesOfProducersAndOutputs()
    {
        describe(1, column -> true);
        begin(record(RecordKind.TIME, 1).putLong(42));
        assertThat(decoder.timeNs()).isEqualTo(42);
        begin(record(RecordKind.CLEAR, 1));
        assertThat(decoder.group().name()).isEqualTo("orders");
        begin(record(RecordKind.PRODUCER, 5).put("feed".getBytes(StandardCharsets.UTF_8)));
        assertThat(decoder.producer(5)).isEqualTo("feed");
        assertThat(decoder.producer(6)).isNull();
        begin(record(RecordKind.OUTPUT, 0).putLong(70).put("unit/query".getBytes(StandardCharsets.UTF_8)));
        assertThat(decoder.output()).isEqualTo("unit/query");
        assertThat(decoder.outputNumber()).isEqualTo(70);
    }

    @Test
    void shouldDecodeAnswers()
    {
        describe(1, column -> true);
        begin(RowEncoder.forJournal(schema, column -> true).encode(batch(),
            record(RecordKind.ANSWER, 1).put((byte)(AnswerForm.FIRST | AnswerForm.ROWS))));
        assertThat(decoder.form()).isEqualTo(AnswerForm.FIRST | AnswerForm.ROWS);
        assertThat(decoder.rows().value(0, 0)).isEqualTo(7);
        begin(record(RecordKind.ANSWER, 1).put((byte)AnswerForm.REJECTED).putInt(1).put((byte)'r').putInt(2)
            .put((byte)'w').put((byte)'y'));
        assertThat(decoder.rejection()).isEqualTo("r: wy");
        begin(record(RecordKind.ANSWER, 1).put((byte)AnswerForm.REJECTED).putInt(9));
        assertThatThrownBy(decoder::rejection).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("length=9");
        assertThatThrownBy(() -> begin(record(RecordKind.ANSWER, 2).put((byte)0)))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("group=2");
    }

    @Test
    void shouldRefuseWhatIsNoRecord()
    {
        assertThatThrownBy(() -> begin(record((byte)'?', 1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> rows(9, column -> true)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("group=9");
        assertThatThrownBy(() -> decoder.begin(new byte[3], 3)).isInstanceOf(BufferUnderflowException.class);
        assertThatThrownBy(() -> GroupDescription.parse("orders\nsymbol")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> GroupDescription.parse("orders\nsymbol WHALE"))
            .isInstanceOf(IllegalArgumentException.class);
    }
}
