package dev.millrace.api.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventBatchTest
{
    private final EventType all = EventType.tuple("All",
        new EventProperty("i", CqlType.INT), new EventProperty("l", CqlType.BIGINT),
        new EventProperty("f", CqlType.FLOAT), new EventProperty("d", CqlType.DOUBLE),
        new EventProperty("b", CqlType.BOOLEAN), new EventProperty("c", CqlType.CHAR),
        new EventProperty("r", CqlType.BIGDECIMAL), new EventProperty("t", CqlType.TIMESTAMP));
    private final BatchSchema schema = new BatchSchema(all);
    private final EventBatch batch = new EventBatch(schema);

    private void fill(final EventBatch target, final int row, final int value)
    {
        target.ints(0)[row] = value;
        target.longs(1)[row] = value * 10L;
        target.floats(2)[row] = value + 0.5f;
        target.doubles(3)[row] = value + 0.25;
        target.bits(4)[row] = (byte)(value & 1);
        target.texts(5).set(row, "text" + value);
        target.references(6)[row] = BigDecimal.valueOf(value);
        target.longs(7)[row] = value * 1000L;
        for (int column = 0; column < 8; column++)
        {
            target.clearNull(column, row);
        }
    }

    @Test
    void shouldGiveBackValuesAsObjectsOfTheirTypes()
    {
        fill(batch, 255, 7);
        assertThat(batch.value(0, 255)).isEqualTo(7);
        assertThat(batch.value(1, 255)).isEqualTo(70L);
        assertThat(batch.value(2, 255)).isEqualTo(7.5f);
        assertThat(batch.value(3, 255)).isEqualTo(7.25);
        assertThat(batch.value(4, 255)).isEqualTo(true);
        assertThat(batch.value(5, 255)).isEqualTo("text7");
        assertThat(batch.value(6, 255)).isEqualTo(BigDecimal.valueOf(7));
        assertThat(batch.value(7, 255)).isEqualTo(7000L);
    }

    @Test
    void shouldSetValuesFromObjectsOfTheirTypes()
    {
        final Object[] values = {7, 70L, 7.5f, 7.25, true, "text7", BigDecimal.valueOf(7), 7000L};
        for (int column = 0; column < values.length; column++)
        {
            batch.setValue(column, 255, values[column]);
            assertThat(batch.isNull(column, 255)).isFalse();
        }
        assertThat(batch.ints(0)[255]).isEqualTo(7);
        assertThat(batch.longs(1)[255]).isEqualTo(70);
        assertThat(batch.floats(2)[255]).isEqualTo(7.5f);
        assertThat(batch.doubles(3)[255]).isEqualTo(7.25);
        assertThat(batch.bits(4)[255]).isEqualTo((byte)1);
        assertThat(batch.texts(5).string(255)).isEqualTo("text7");
        assertThat(batch.references(6)[255]).isEqualTo(BigDecimal.valueOf(7));
        assertThat(batch.longs(7)[255]).isEqualTo(7000);
        batch.setValue(4, 255, false);
        assertThat(batch.bits(4)[255]).isZero();
    }

    @Test
    void shouldSetNullsAndReplaceThem()
    {
        fill(batch, 64, 1);
        for (int column = 0; column < 8; column++)
        {
            final Object before = batch.value(column, 64);
            batch.setValue(column, 64, null);
            assertThat(batch.isNull(column, 64)).isTrue();
            batch.setValue(column, 64, before);
            assertThat(batch.value(column, 64)).isEqualTo(before);
        }
    }

    @Test
    void shouldRefuseObjectsOfOtherTypes()
    {
        for (int column = 0; column < 8; column++)
        {
            final int of = column;
            if (schema.storage(column) != ColumnStorage.REFERENCE)
            {
                assertThatThrownBy(() -> batch.setValue(of, 0, this)).isInstanceOf(ClassCastException.class);
            }
        }
    }

    @Test
    void shouldTellNullsOfEveryStorage()
    {
        for (final int row : new int[]{0, 63, 64, 130, 255})
        {
            fill(batch, row, row);
            for (int column = 0; column < 8; column++)
            {
                assertThat(batch.isNull(column, row)).isFalse();
                batch.setNull(column, row);
                assertThat(batch.isNull(column, row)).as("column %d row %d", column, row).isTrue();
                assertThat(batch.value(column, row)).isNull();
            }
        }
        assertThat(batch.hasNulls(0)).isTrue();
        assertThat(batch.hasNulls(5)).isFalse();
        assertThat(batch.hasNulls(6)).isFalse();
        assertThat(batch.isNull(0, 1)).isFalse();
        batch.clearNull(0, 64);
        assertThat(batch.isNull(0, 64)).isFalse();
        batch.clear();
        assertThat(batch.hasNulls(0)).isFalse();
        assertThat(batch.isNull(0, 63)).isFalse();
    }

    @Test
    void shouldCountTimesFromTheBaseOrKeepOneARow()
    {
        batch.baseTimestampNs(100);
        assertThat(batch.timestampNs(0)).isEqualTo(100);
        assertThat(batch.timestampNs(9)).isEqualTo(109);
        batch.useTimestampPerRow()[9] = 5;
        assertThat(batch.timestampPerRow()).isTrue();
        assertThat(batch.timestampNs(9)).isEqualTo(5);
        batch.baseTimestampNs(200);
        assertThat(batch.timestampNs(9)).isEqualTo(209);
        batch.clear();
        assertThat(batch.timestampNs(3)).isEqualTo(3);
    }

    @Test
    void shouldCopyARowWithAllThatBelongsToIt()
    {
        fill(batch, 3, 4);
        batch.setNull(1, 3);
        batch.baseTimestampNs(1000);
        batch.useOrigins()[3] = 77;
        batch.useKinds()[3] = EventBatch.DELETE;
        batch.useSequences()[3] = RowSequence.of(9, 12);
        final EventBatch copy = new EventBatch(schema);
        copy.setNull(0, 0);
        copy.copyRow(batch, 3, 0);
        assertThat(copy.value(0, 0)).isEqualTo(4);
        assertThat(copy.isNull(1, 0)).isTrue();
        assertThat(copy.value(5, 0)).isEqualTo("text4");
        assertThat(copy.value(6, 0)).isEqualTo(BigDecimal.valueOf(4));
        assertThat(copy.timestampNs(0)).isEqualTo(1003);
        assertThat(copy.originsNs()[0]).isEqualTo(77);
        assertThat(copy.kind(0)).isEqualTo(EventBatch.DELETE);
        assertThat(RowSequence.producer(copy.sequences()[0])).isEqualTo(9);
        assertThat(RowSequence.number(copy.sequences()[0])).isEqualTo(12);
        copy.clear();
        assertThat(copy.hasSequences()).isFalse();
    }

    @Test
    void shouldKeepTimesOriginsSequencesAndKindsApartWhenRowsOfSeveralBatchesAreCopied()
    {
        final EventBatch plain = new EventBatch(schema);
        fill(plain, 0, 1);
        fill(plain, 1, 2);
        plain.baseTimestampNs(10);
        final EventBatch rich = new EventBatch(schema);
        fill(rich, 0, 3);
        rich.useTimestampPerRow()[0] = 99;
        rich.useOrigins()[0] = 55;
        rich.useKinds()[0] = EventBatch.UPDATE;
        rich.useSequences()[0] = 66;
        final EventBatch target = new EventBatch(schema);
        Arrays.fill(target.useKinds(), EventBatch.DELETE);
        Arrays.fill(target.useOrigins(), 1234);
        Arrays.fill(target.useSequences(), 1234);
        target.clear();
        target.copyRows(plain, 0, 0, 2);
        target.copyRows(rich, 0, 2, 1);
        target.copyRows(plain, 1, 3, 1);
        target.size(4);
        assertThat(new Object[]{target.value(0, 0), target.value(0, 1), target.value(0, 2), target.value(0, 3)})
            .containsExactly(1, 2, 3, 2);
        assertThat(new long[]{target.timestampNs(0), target.timestampNs(1), target.timestampNs(2),
            target.timestampNs(3)}).containsExactly(10, 11, 99, 11);
        assertThat(Arrays.copyOf(target.originsNs(), 4)).containsExactly(0, 0, 55, 0);
        assertThat(Arrays.copyOf(target.sequences(), 4)).containsExactly(0, 0, 66, 0);
        assertThat(Arrays.copyOf(target.kinds(), 4)).containsExactly(
            EventBatch.INSERT, EventBatch.INSERT, EventBatch.UPDATE, EventBatch.INSERT);
    }

    @Test
    void shouldShowTheSameRowsThroughAView()
    {
        final EventType narrow = EventType.tuple("Narrow", new EventProperty("C", CqlType.CHAR),
            new EventProperty("missing", CqlType.DOUBLE), new EventProperty("I", CqlType.INT),
            new EventProperty("none", CqlType.CHAR));
        final EventBatch view =
            EventBatch.view(batch, new BatchSchema(narrow), new int[]{5, -1, 0, -1});
        fill(batch, 0, 1);
        fill(batch, 1, 2);
        batch.setNull(0, 1);
        batch.size(2);
        batch.baseTimestampNs(500);
        view.refreshFrom(batch);
        assertThat(view.size()).isEqualTo(2);
        assertThat(view.ints(0)).isSameAs(batch.ints(5));
        assertThat(view.value(0, 1)).isEqualTo("text2");
        assertThat(view.value(2, 0)).isEqualTo(1);
        assertThat(view.isNull(2, 1)).isTrue();
        assertThat(view.isNull(1, 0)).isTrue();
        assertThat(view.isNull(3, 1)).isTrue();
        assertThat(view.timestampNs(1)).isEqualTo(501);
        batch.clear();
        fill(batch, 0, 9);
        batch.size(1);
        batch.useTimestampPerRow()[0] = 42;
        batch.useKinds()[0] = EventBatch.DELETE;
        view.refreshFrom(batch);
        assertThat(view.size()).isEqualTo(1);
        assertThat(view.value(2, 0)).isEqualTo(9);
        assertThat(view.isNull(1, 0)).isTrue();
        assertThat(view.timestampNs(0)).isEqualTo(42);
        assertThat(view.kind(0)).isEqualTo(EventBatch.DELETE);
    }

    @Test
    void shouldRefuseViewsThatDoNotFit()
    {
        final BatchSchema other = new BatchSchema(EventType.tuple("Other", new EventProperty("x", CqlType.CHAR)));
        assertThatThrownBy(() -> EventBatch.view(batch, other, new int[]{0}))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("column=x");
        assertThatThrownBy(() -> EventBatch.view(batch, other, new int[]{}))
            .isInstanceOf(IllegalArgumentException.class);
        final EventBatch view = EventBatch.view(batch, other, new int[]{-1});
        assertThatThrownBy(() -> view.refreshFrom(new EventBatch(schema)))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> batch.refreshFrom(batch)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(view::clear).isInstanceOf(IllegalStateException.class);
    }
}
