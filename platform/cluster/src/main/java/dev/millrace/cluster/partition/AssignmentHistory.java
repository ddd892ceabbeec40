package dev.millrace.cluster.partition;

import com.google.gson.Gson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The current owners and those of recent epochs: a member that takes over partitions asks their previous owners.
 * Immutable.
 *
 * @param steps oldest first, at least one
 */
record AssignmentHistory(List<PartitionAssignment> steps)
{
    /** Number of epochs kept. */
    static final int MAX_STEPS = 16;

    private static final Gson GSON = new Gson();

    AssignmentHistory
    {
        steps = List.copyOf(steps);
    }

    static AssignmentHistory of(final byte[] json)
    {
        return json == null ? null : GSON.fromJson(new String(json, StandardCharsets.UTF_8), AssignmentHistory.class);
    }

    byte[] json()
    {
        return GSON.toJson(this).getBytes(StandardCharsets.UTF_8);
    }

    PartitionAssignment now()
    {
        return steps.get(steps.size() - 1);
    }

    /** Whether the owners of all epochs since the given one (inclusive) are known. */
    boolean remembers(final long epoch)
    {
        return steps.get(0).epoch() <= Math.max(1, epoch);
    }

    /**
     * Previous owners of partitions.
     *
     * @param partitions of interest
     * @param fromEpoch  first epoch to consider
     * @return their incarnations
     */
    Set<String> ownersBefore(final BitSet partitions, final long fromEpoch)
    {
        final Set<String> before = new HashSet<>();
        for (final PartitionAssignment step : steps.subList(0, steps.size() - 1))
        {
            if (step.epoch() >= fromEpoch)
            {
                final short[] ownerOf = step.ownerOf();
                partitions.stream().filter(partition -> ownerOf[partition] >= 0)
                    .forEach(partition -> before.add(step.owners().get(ownerOf[partition]).stay()));
            }
        }
        return before;
    }

    /**
     * Creates the next table.
     *
     * @param before {@code null} for the first table
     * @param owners from the next epoch on
     */
    static AssignmentHistory next(final AssignmentHistory before, final List<Owner> owners)
    {
        final List<PartitionAssignment> steps = new ArrayList<>(before == null ? List.of() : before.steps);
        steps.add(new PartitionAssignment(before == null ? 1 : before.now().epoch() + 1, owners));
        return new AssignmentHistory(steps.subList(Math.max(0, steps.size() - MAX_STEPS), steps.size()));
    }
}
