package dev.millrace.cql.runtime.pattern.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.memory.MemoryHolder;
import dev.millrace.api.time.ManualClock;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Records keep their content, and stay as long as a record that follows them. */
@Timeout(60)
class AttemptSlabTest
{
    private final MemoryAccount memory = new MemoryBudget(1 << 20, new ManualClock(0))
        .open(new MemoryHolder("app", "proc", "rule", "state"));

    private static int add(final AttemptSlab records, final long value, final Object reference)
    {
        final int id = records.add();
        records.chunk(id)[records.at(id)] = value;
        records.chunk(id)[records.at(id) + 2] = value * 10;
        records.reference(id, 1, reference);
        return id;
    }

    private static void check(final AttemptSlab records, final int id, final long value, final Object reference)
    {
        assertThat(records.chunk(id)[records.at(id)]).isEqualTo(value);
        assertThat(records.chunk(id)[records.at(id) + 2]).isEqualTo(value * 10);
        assertThat(records.reference(id, 0)).isNull();
        assertThat(records.reference(id, 1)).isEqualTo(reference);
    }

    @Test
    void shouldKeepARecordUntilAllThatFollowItAreReleased()
    {
        final AttemptSlab records = new AttemptSlab(3, 2, true, memory);
        final int first = add(records, 1, "first");
        assertThat(records.previous(first)).isNegative();
        final int second = records.follow(first);
        check(records, second, 1, "first");
        assertThat(records.previous(second)).isEqualTo(first);
        final int third = records.follow(second);
        final int other = records.follow(second);
        final int copy = records.add();
        records.copy(other, copy);
        check(records, copy, 1, "first");
        assertThat(records.previous(copy)).isEqualTo(second);
        final int copyOfFirst = records.add();
        records.copy(first, copyOfFirst);
        assertThat(records.previous(copyOfFirst)).isNegative();
        assertThat(records.size()).isEqualTo(6);
        records.free(first);
        records.free(second);
        records.free(third);
        assertThat(records.size()).isEqualTo(5);
        check(records, second, 1, "first");
        records.free(other);
        assertThat(records.size()).isEqualTo(4);
        check(records, first, 1, "first");
        assertThat(records.freeUpTo(6)).containsExactly(false, false, true, true, false, false);
        records.free(copy);
        assertThat(records.size()).isEqualTo(1);
        assertThat(records.reference(first, 1)).as("reference of a released record").isNull();
        records.free(copyOfFirst);
        assertThat(records.size()).isZero();
        assertThat(records.freeUpTo(6)).containsOnly(true);
    }

    @Test
    void shouldReuseReleasedRecordsBeforeItGrows()
    {
        final AttemptSlab records = new AttemptSlab(3, 2, false, memory);
        final int one = add(records, 1, "one");
        final int two = add(records, 2, "two");
        final long charged = memory.bytes();
        records.free(one);
        records.free(two);
        assertThat(records.size()).isZero();
        assertThat(records.add()).isEqualTo(two);
        assertThat(records.add()).isEqualTo(one);
        assertThat(memory.bytes()).isEqualTo(charged);
        records.add();
        assertThat(memory.bytes()).as("two objects of 48 bytes").isGreaterThanOrEqualTo(charged + 2 * 48);
        assertThat(records.hasRoom()).isTrue();
    }

    private static AttemptSlab restored(final AttemptSlab records, final MemoryAccount memory)
    {
        final StateOutput to = new StateOutput(1 << 20);
        records.write(to, null);
        final AttemptSlab read = new AttemptSlab(3, 2, false, memory);
        final StateInput from = new StateInput(to.toBytes());
        read.read(from, null);
        from.end();
        return read;
    }

    @Test
    void shouldRestoreRecordsAndWhichAreFree()
    {
        final long empty = memory.bytes();
        final AttemptSlab records = new AttemptSlab(3, 2, false, memory);
        final int one = add(records, 1, "one");
        final int two = add(records, 2, "two");
        final int three = add(records, 3, null);
        final int four = add(records, 4, 4L);
        records.free(two);
        records.free(three);
        final long before = memory.bytes();
        final AttemptSlab read = restored(records, memory);
        assertThat(memory.bytes() - before).as("as much as the records took").isEqualTo(before - empty);
        assertThat(read.size()).isEqualTo(2);
        check(read, one, 1, "one");
        check(read, four, 4, 4L);
        assertThat(read.freeUpTo(4)).containsExactly(false, true, true, false);
        assertThat(read.add()).isEqualTo(three);
        assertThat(read.add()).isEqualTo(two);
        assertThat(read.add()).isEqualTo(4);
        assertThat(restored(new AttemptSlab(3, 2, false, memory), memory).size()).isZero();
    }

    @Test
    void shouldRefuseStateWithAnotherNumberOfFreeRecords()
    {
        final StateOutput to = new StateOutput(1 << 10);
        to.writeCount(2);
        to.writeCount(1);
        to.writeInt(-1);
        for (int i = 0; i < 2; i++)
        {
            to.writeBoolean(true);
            to.writeLong(-1);
        }
        assertThatThrownBy(() -> new AttemptSlab(3, 2, false, memory).read(new StateInput(to.toBytes()), null))
            .isInstanceOf(StateException.class).hasMessageContaining("free=2 expected=1");
    }
}
