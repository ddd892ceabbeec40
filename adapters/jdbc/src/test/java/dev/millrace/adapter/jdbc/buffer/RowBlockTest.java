package dev.millrace.adapter.jdbc.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.adapter.jdbc.TestSink;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Null values of waiting rows, regardless of previous values in the same position. */
@Timeout(60)
class RowBlockTest
{
    private static final EventType EVENT = TestSink.type("id", CqlType.INT, "amount", CqlType.BIGINT, "name",
        CqlType.CHAR);
    private static final int[] COLUMNS = {0, 1, 2};

    private final EventBatch batch = new EventBatch(new BatchSchema(EVENT));
    private RowBlock block;

    @BeforeEach
    void makeBlock() throws JdbcAdapterException
    {
        block = new RowBlock(RowLayout.of(EVENT, List.of()));
    }

    /** Adds rows whose amount is null where the row's number is divisible; in all others the name is null. */
    private void add(final int rows, final int divisor)
    {
        batch.clear();
        for (int row = 0; row < rows; row++)
        {
            batch.ints(0)[row] = row;
            batch.texts(2).set(row, row % divisor == 0 ? "a" : null);
            if (row % divisor == 0)
            {
                batch.setNull(1, row);
            }
        }
        batch.size(rows);
        block.add(batch, COLUMNS, 0, rows);
    }

    /** Adds rows with numbers and names. */
    private void addPlain(final int rows)
    {
        batch.clear();
        IntStream.range(0, rows).forEach(row -> batch.texts(2).set(row, "b"));
        batch.size(rows);
        block.add(batch, COLUMNS, 0, rows);
    }

    private List<Integer> rowsWithNull(final int column)
    {
        return IntStream.range(0, block.size()).filter(row -> block.isNull(column, row)).boxed().toList();
    }

    @Test
    void shouldKnowNullsOfNumbersAndTextsWhenBatchesFollowEachOther()
    {
        addPlain(65);
        add(4, 3);
        addPlain(10);

        assertThat(rowsWithNull(0)).isEmpty();
        assertThat(rowsWithNull(1)).containsExactly(65, 68);
        assertThat(rowsWithNull(2)).containsExactly(66, 67);
    }

    @Test
    void shouldForgetNullsWhenItIsCleared()
    {
        add(200, 1);
        block.clear();
        addPlain(200);

        assertThat(rowsWithNull(1)).isEmpty();
        assertThat(rowsWithNull(2)).isEmpty();
    }

    @Test
    void shouldForgetNullsOfRowsThatAreTakenBack()
    {
        addPlain(60);
        add(10, 1);
        block.size(63);
        addPlain(10);

        assertThat(rowsWithNull(1)).containsExactly(60, 61, 62);
    }

    @Test
    void shouldMoveNullsWithTheirRowsWhenTheFirstAreRemoved()
    {
        add(100, 50);
        block.removeFirst(49);
        addPlain(60);

        assertThat(block.size()).isEqualTo(111);
        assertThat(rowsWithNull(1)).containsExactly(1);
        assertThat(((int[])block.array(0))[1]).isEqualTo(50);
    }

    @Test
    void shouldShowBitsOfPrimitivesOnly()
    {
        add(2, 2);

        assertThat(block.nullBits(1)[0]).isEqualTo(1);
        assertThat(block.nullBits(2)).isNull();
    }
}
