package dev.millrace.cluster.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Assignment of partitions to owners. */
@Timeout(60)
class PartitionAssignmentTest
{
    private static List<Owner> owners(final int count)
    {
        final List<Owner> owners = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            owners.add(new Owner("server" + i, "stay" + i));
        }
        return owners;
    }

    private static List<String> names(final List<Owner> owners)
    {
        final List<String> names = new ArrayList<>();
        for (final short owner : new PartitionAssignment(1, owners).ownerOf())
        {
            names.add(owners.get(owner).name());
        }
        return names;
    }

    @Test
    void shouldMoveOnlyPartitionsOfThoseWhoComeOrGo()
    {
        for (int count = 1; count < 12; count++)
        {
            final List<String> before = names(owners(count));
            final List<String> after = names(owners(count + 1));
            int moved = 0;
            for (int partition = 0; partition < before.size(); partition++)
            {
                if (!before.get(partition).equals(after.get(partition)))
                {
                    assertThat(after.get(partition)).isEqualTo("server" + count);
                    moved++;
                }
            }
            assertThat(moved).as("its share, members=" + (count + 1))
                .isBetween(1024 / (count + 1) * 6 / 10, 1024 / (count + 1) * 14 / 10 + 1);
        }
    }

    @Test
    void shouldNotDependOnTheOrderOfMembers()
    {
        final List<Owner> shuffled = owners(10);
        Collections.shuffle(shuffled, new Random(3));
        assertThat(names(shuffled)).isEqualTo(names(owners(10)));
    }

    @Test
    void shouldLeavePartitionsToNobodyWithoutMembers()
    {
        assertThat(new PartitionAssignment(4, List.of()).ownerOf()).containsOnly((short)-1);
    }

    @Test
    void shouldRememberTheLastEpochs()
    {
        AssignmentHistory table = null;
        for (int i = 1; i <= 20; i++)
        {
            table = AssignmentHistory.of(AssignmentHistory.next(table, owners(i)).json());
        }
        assertThat(table.now().epoch()).isEqualTo(20);
        assertThat(table.steps()).hasSize(AssignmentHistory.MAX_STEPS);
        assertThat(table.steps().get(0).owners()).hasSize(5);
    }
}
