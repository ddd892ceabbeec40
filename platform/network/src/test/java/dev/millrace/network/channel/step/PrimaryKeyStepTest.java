package dev.millrace.network.channel.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.memory.MemoryHolder;
import dev.millrace.api.time.Clock;
import dev.millrace.api.time.ManualClock;
import dev.millrace.network.durable.PrimaryKeySet;
import dev.millrace.network.lane.Rejections;
import dev.millrace.network.spi.StoredRelation;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rows that a relation channel looks up, and their outcome. */
@Timeout(60)
class PrimaryKeyStepTest
{
    private final EventBatch batch = new EventBatch(new BatchSchema(EventType.tuple("T",
        new EventProperty("a", CqlType.BIGINT), new EventProperty("b", CqlType.CHAR))));
    private final RelationKeys keys = new RelationKeys(batch.schema().type(), new int[]{0, 1},
        RelationKeys.MAX_KEYS, MemoryAccount.NONE);
    private final Rejections rejections = new Rejections("app/channel", Clock.SYSTEM);
    private final PrimaryKeyStep step = new PrimaryKeyStep(keys, rejections);

    /** Sends rows like "+7"; returns how many of them pass. */
    private int give(final String... rows)
    {
        batch.clear();
        for (int row = 0; row < rows.length; row++)
        {
            batch.useKinds()[row] = rows[row].charAt(0) == '+' ? EventBatch.INSERT :
                rows[row].charAt(0) == '-' ? EventBatch.DELETE : EventBatch.UPDATE;
            batch.longs(0)[row] = Long.parseLong(rows[row].substring(1));
            batch.texts(1).set(row, "x");
        }
        batch.size(rows.length);
        final EventBatch after = step.apply(batch);
        return after == null ? 0 : after.size();
    }

    @Test
    void shouldOnlyCountTheRowsOfAQueryThatGivesEachKeyOnce()
    {
        keys.addLane("q");
        keys.addLane("q");
        assertThat(give("+1", "+2", "+3")).isEqualTo(3);
        assertThat(give("-2", "+2", "-3", "U1")).isEqualTo(4);
        assertThat(keys.size()).isEqualTo(2);
        keys.bind(batch);
        assertThat(keys.contains(3)).as("key is kept").isFalse();
        assertThat(rejections.byReason()).isEmpty();
    }

    @Test
    void shouldCountRowsWithoutKinds()
    {
        keys.addLane("q");
        give("+1", "+2");
        batch.clearKinds();
        step.apply(batch);
        assertThat(keys.size()).isEqualTo(4);
    }

    @Test
    void shouldRejectRowsThatLackAPartOfTheirKeyAlsoFromSuchAQuery()
    {
        keys.addLane("q");
        give("+1", "+2");
        batch.setNull(0, 0);
        assertThat(step.apply(batch).size()).isEqualTo(1);
        batch.clearNull(0, 0);
        batch.texts(1).set(0, null);
        assertThat(step.apply(batch).size()).isEqualTo(1);
        assertThat(rejections.byReason()).isEqualTo(Map.of("null-key", 2L));
        assertThat(keys.size()).isEqualTo(4);
    }

    @Test
    void shouldLookRowsUpFromTheMomentAnotherQueryComes()
    {
        keys.addLane("q");
        give("+1", "+2");
        keys.addLane("r");
        assertThat(give("+3", "+3", "-4")).as("4 may be an earlier row").isEqualTo(2);
        assertThat(rejections.byReason()).isEqualTo(Map.of("duplicate-key", 1L));
        assertThat(give("U1", "-1", "-3")).isEqualTo(3);
        assertThat(keys.size()).isZero();
        assertThat(give("U1", "-1", "-3")).isZero();
        assertThat(rejections.byReason()).isEqualTo(Map.of("duplicate-key", 1L, "missing-key", 3L));
    }

    @Test
    void shouldLookUpAllRowsOfOtherStages()
    {
        keys.addLane(null);
        keys.addLane("q");
        assertThat(give("+1", "+1", "-2")).isEqualTo(1);
        assertThat(rejections.byReason()).isEqualTo(Map.of("duplicate-key", 1L, "missing-key", 1L));
    }

    @Test
    void shouldRejectNewKeysWhileMemoryIsFullAndTakeThemAgainLater()
    {
        final MemoryBudget budget = new MemoryBudget(1 << 20, new ManualClock(0));
        final MemoryAccount other = budget.open(new MemoryHolder("app", "other", "", "state"));
        final MemoryAccount memory = budget.open(new MemoryHolder("app", "channel", "", "primary keys"));
        final RelationKeys bounded =
            new RelationKeys(batch.schema().type(), new int[]{0, 1}, RelationKeys.MAX_KEYS, memory);
        bounded.addLane(null);
        final PrimaryKeyStep boundedStep = new PrimaryKeyStep(bounded, rejections);
        other.charge(budget.limitBytes() - budget.takenBytes());
        for (int key = 0; key < 100; key++)
        {
            give("+" + key);
            boundedStep.apply(batch);
        }
        final long taken = bounded.size();
        assertThat(taken).isBetween(1L, 99L);
        assertThat(rejections.byReason()).isEqualTo(Map.of("memory-full", 100 - taken));
        give("-0");
        assertThat(boundedStep.apply(batch).size()).as("rows that need no memory pass").isEqualTo(1);
        other.release(other.bytes());
        for (int key = 0; key < 100; key++)
        {
            give("+" + (1000 + key));
            boundedStep.apply(batch);
        }
        assertThat(bounded.size()).isEqualTo(taken + 99);
        assertThat(memory.bytes()).as("keys").isGreaterThan(100 * 2 * Long.BYTES);
        assertThat(rejections.byReason()).isEqualTo(Map.of("memory-full", 100 - taken));
    }

    /** The keys and the number of the last row of a producer that a process has stored. */
    private StoredRelation stored(final long number)
    {
        final PrimaryKeySet earlier = new PrimaryKeySet(batch.schema().type(), new int[]{0, 1}, true,
            MemoryAccount.NONE);
        give("+1", "+2", "+3");
        earlier.bind(batch);
        earlier.add(0);
        earlier.add(1);
        return new StoredRelation(2, earlier.toArray(), Map.of("PrimaryKeyStepTest", number));
    }

    @Test
    void shouldContinueWithTheKeysOfAnEarlierProcess()
    {
        final StoredRelation stored = stored(0);
        final RelationKeys next = new RelationKeys(batch.schema().type(), new int[]{0, 1}, RelationKeys.MAX_KEYS,
            MemoryAccount.NONE);
        next.store();
        next.addLane(null);
        next.restore(stored);
        assertThat(next.size()).isEqualTo(2);
        final PrimaryKeyStep check = new PrimaryKeyStep(next, rejections);
        give("+1", "U2", "U3");
        assertThat(check.apply(batch).size()).isEqualTo(1);
        assertThat(rejections.byReason()).isEqualTo(Map.of("duplicate-key", 1L, "missing-key", 1L));
    }

    @Test
    void shouldPassRowsThatAnEarlierProcessHasCheckedAndCheckLaterOnes()
    {
        final StoredRelation stored = stored(7);
        final RelationKeys next = new RelationKeys(batch.schema().type(), new int[]{0, 1}, RelationKeys.MAX_KEYS,
            MemoryAccount.NONE);
        next.store();
        next.addLane(null);
        next.restore(stored);
        final PrimaryKeyStep check = new PrimaryKeyStep(next, rejections);
        give("+1", "-1", "+1", "+1");
        for (int row = 0; row < 4; row++)
        {
            batch.useSequences()[row] = RowSequence.of(Producers.id("PrimaryKeyStepTest"), 5 + row);
        }
        assertThat(check.apply(batch).size()).isEqualTo(3);
        assertThat(rejections.byReason()).isEqualTo(Map.of("duplicate-key", 1L));
        assertThat(next.size()).isEqualTo(2);
    }

    @Test
    void shouldPassChangesOfUnknownKeysAfterAnEarlierProcessOfWhichNothingIsStored()
    {
        keys.addLane(null);
        keys.passUnknown();
        assertThat(give("-1", "U2", "+3", "+3")).isEqualTo(3);
        assertThat(rejections.byReason()).isEqualTo(Map.of("duplicate-key", 1L));
    }
}
