package dev.millrace.cql.processor.durable.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.plan.flow.RowType;
import dev.millrace.cql.processor.relation.RecordedLookup;
import dev.millrace.journal.JournalException;
import dev.millrace.network.durable.AnswerForm;
import dev.millrace.network.partition.RowDecoder;
import dev.millrace.network.partition.RowEncoder;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The stored answers for a batch: their rows, incomplete ones, and rows that ask something else than before. */
@Timeout(60)
class ReplayedAnswersTest
{
    private static final RowType ROWS = new RowType(List.of("i", "l", "f", "d", "b", "t", "n", "y"),
        List.of(CqlType.INT, CqlType.TIMESTAMP, CqlType.FLOAT, CqlType.DOUBLE, CqlType.BOOLEAN, CqlType.CHAR,
            CqlType.BIGDECIMAL, CqlType.BYTE));
    private static final Object[] VALUES = {1, 2L, 3.5f, 4.5, true, "text", new BigDecimal("6.70"), new byte[] {8}};

    private final RecordedLookup lookup = new RecordedLookup("table T", ROWS, (keys, rows) ->
    {
        throw new IllegalStateException("asked");
    });
    private final RowDecoder decoder = RowDecoder.forJournal(lookup.schema(), column -> true);
    private final ReplayedAnswers answers = new ReplayedAnswers();

    private void add(final int form, final Object[]... rows)
    {
        final ByteBuffer record = ByteBuffer.allocate(1 << 12);
        if (rows.length > 0)
        {
            final EventBatch batch = new EventBatch(lookup.schema());
            new Answer(lookup, List.of(rows), null).fill(batch, 0, rows.length);
            RowEncoder.forJournal(lookup.schema(), column -> true).encode(batch, record);
        }
        record.flip();
        answers.add(lookup, rows.length > 0 ? form | AnswerForm.ROWS : form, record, decoder);
    }

    private List<Object[]> next()
    {
        final List<Object[]> found = new ArrayList<>();
        answers.next(lookup).passTo(row -> found.add(row.clone()));
        return found;
    }

    @Test
    void shouldReturnRowsOfEachTypeAndNulls()
    {
        add(AnswerForm.FIRST | AnswerForm.LAST, VALUES, new Object[VALUES.length]);
        final List<Object[]> found = next();
        assertThat(found).hasSize(2);
        assertThat(found.get(0)).isEqualTo(VALUES);
        assertThat(found.get(1)).containsOnlyNulls();
        answers.check("unit", 1);
    }

    @Test
    void shouldReturnAnswersInOrderWithoutThoseThatAreIncomplete()
    {
        final Object[] other = Arrays.copyOf(VALUES, VALUES.length);
        other[0] = 9;
        add(AnswerForm.FIRST, VALUES);
        add(AnswerForm.FIRST, other);
        add(AnswerForm.LAST, VALUES);
        add(AnswerForm.FIRST | AnswerForm.LAST);
        add(AnswerForm.FIRST, VALUES);
        assertThat(next()).extracting(row -> row[0]).containsExactly(9, 1);
        assertThat(next()).isEmpty();
        assertThat(answers.next(lookup)).isNull();
    }

    @Test
    void shouldRefuseRowsThatAskSomethingElse()
    {
        add(AnswerForm.FIRST | AnswerForm.LAST, VALUES);
        final RecordedLookup other = new RecordedLookup("cache C", ROWS, (keys, rows) ->
        {
            throw new IllegalStateException("asked");
        });
        assertThat(answers.next(other).rejected()).isNotNull();
        assertThatThrownBy(() -> answers.check("unit", 5)).isInstanceOf(JournalException.class)
            .hasMessageContaining("CQL-8108").hasMessageContaining("position=5 asked=cache C stored=table T");
    }

    @Test
    void shouldRefuseMoreAnswersThanRowsAsk()
    {
        add(AnswerForm.FIRST | AnswerForm.LAST, VALUES);
        assertThatThrownBy(() -> answers.check("unit", 5)).isInstanceOf(JournalException.class)
            .hasMessageContaining("CQL-8108").hasMessageContaining("left=1");
    }
}
