package dev.millrace.cql.processor.durable.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The keys of a relation that a durable unit has received: which rows are valid, and what is stored. */
@Timeout(60)
class ReceivedKeysTest
{
    private static final EventType TYPE = EventType.tuple("T", new EventProperty("a", CqlType.BIGINT),
        new EventProperty("b", CqlType.CHAR));

    private final EventBatch batch = new EventBatch(new BatchSchema(TYPE));
    private final List<String> rejected = new ArrayList<>();
    private final ReceivedKeys keys = keys(0, 1);

    private ReceivedKeys keys(final int... columns)
    {
        return new ReceivedKeys(TYPE, columns, MemoryAccount.NONE,
            (count, reason, detail) -> rejected.add(reason + ' ' + detail));
    }

    /** Fills the batch with rows like "+7". */
    private EventBatch rows(final String... rows)
    {
        batch.clear();
        for (int row = 0; row < rows.length; row++)
        {
            batch.useKinds()[row] = rows[row].charAt(0) == '+' ? EventBatch.INSERT :
                rows[row].charAt(0) == '-' ? EventBatch.DELETE : EventBatch.UPDATE;
            batch.longs(0)[row] = Long.parseLong(rows[row].substring(1));
            batch.texts(1).set(row, "a string of more than eight bytes");
        }
        batch.size(rows.length);
        return batch;
    }

    private static List<Integer> select(final ReceivedKeys from, final EventBatch rows, final int... selection)
    {
        final int[] valid = new int[EventBatch.CAPACITY];
        final boolean isWhole = selection.length == 0;
        final int count =
            from.select(rows, isWhole ? null : selection, isWhole ? rows.size() : selection.length, valid);
        return Arrays.stream(valid, 0, count).boxed().toList();
    }

    @Test
    void shouldRejectInsertsOfExistingAndOtherChangesOfMissingKeys()
    {
        assertThat(select(keys, rows("+1", "+1", "U1", "-1", "-1", "U2", "+1"))).containsExactly(0, 2, 3, 6);
        assertThat(rejected).containsExactly("duplicate-key key=1,a string of more than eight bytes",
            "missing-key key=1,a string of more than eight bytes",
            "missing-key key=2,a string of more than eight bytes");
    }

    @Test
    void shouldConsiderSelectedRowsOnly()
    {
        assertThat(select(keys, rows("+1", "+2", "-1", "+3"), 1, 3)).containsExactly(1, 3);
        assertThat(select(keys, rows("+1", "U2", "U3"))).containsExactly(0, 1, 2);
    }

    @Test
    void shouldForgetRowsThatWereNotStored()
    {
        select(keys, rows("+1", "+2"));
        select(keys, rows("-1", "+3", "-3", "-2", "+2", "+4"));
        keys.undo();
        assertThat(select(keys, rows("U1", "U2", "U3", "U4"))).containsExactly(0, 1);
    }

    @Test
    void shouldContinueWithWhatWasWrittenAndReplayed()
    {
        select(keys, rows("+1", "+2", "+3"));
        final StateOutput to = new StateOutput(1 << 20);
        keys.write(to);
        final ReceivedKeys restored = keys(0, 1);
        final StateInput from = new StateInput(to.toBytes());
        restored.read(from);
        from.end();
        restored.replay(rows("-2", "+4"));
        assertThat(restored.count()).isEqualTo(3);
        assertThat(select(restored, rows("U1", "U2", "U3", "U4"))).containsExactly(0, 2, 3);
    }

    @Test
    void shouldRefuseTheKeysOfAnotherPrimaryKey()
    {
        select(keys, rows("+1"));
        final StateOutput to = new StateOutput(1 << 20);
        keys.write(to);
        assertThatThrownBy(() -> keys(0).read(new StateInput(to.toBytes()))).isInstanceOf(StateException.class)
            .hasMessageContaining("stored=[a, b] key=[a]");
    }
}
