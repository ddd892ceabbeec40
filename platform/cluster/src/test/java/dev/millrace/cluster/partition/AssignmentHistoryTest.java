package dev.millrace.cluster.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Owners of recent epochs. */
@Timeout(60)
class AssignmentHistoryTest
{
    private static final Owner ONE = new Owner("one", "1");
    private static final Owner TWO = new Owner("two", "2");

    @Test
    void shouldNameTheOwnersBeforeSinceAnEpoch()
    {
        final AssignmentHistory table = AssignmentHistory.next(AssignmentHistory.next(AssignmentHistory.next(null,
            List.of(ONE)), List.of(TWO)), List.of(ONE, TWO));
        final BitSet some = new BitSet();
        some.set(3);
        assertThat(table.ownersBefore(some, 0)).containsExactlyInAnyOrder("1", "2");
        assertThat(table.ownersBefore(some, 2)).containsExactly("2");
        assertThat(table.ownersBefore(some, 3)).isEmpty();
        assertThat(table.ownersBefore(new BitSet(), 0)).isEmpty();
    }

    @Test
    void shouldSayWhenOwnersOfAnEpochAreForgotten()
    {
        AssignmentHistory table = AssignmentHistory.next(null, List.of(ONE));
        assertThat(table.remembers(0)).as("there was no owner before the first epoch").isTrue();
        for (int i = 0; i < AssignmentHistory.MAX_STEPS; i++)
        {
            table = AssignmentHistory.next(table, List.of(ONE));
        }
        assertThat(table.now().epoch()).isEqualTo(AssignmentHistory.MAX_STEPS + 1);
        assertThat(table.remembers(0)).isFalse();
        assertThat(table.remembers(1)).isFalse();
        assertThat(table.remembers(2)).isTrue();
    }
}
