package dev.millrace.cql.processor;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.plan.OrderingConstraint;
import dev.millrace.cql.runtime.RowRejection;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * Pipelines of one channel whose rows travel together: they have the same ordering constraint and the same partition
 * column.
 *
 * <p>Threads: made before the first event; {@link #open} by the threads that open inputs.
 */
final class PipelineGroup
{
    private final Routes routes;
    private final BatchSchema schema;
    private final List<Member> members;
    private final IntPredicate columns;
    private final boolean ahead;

    /** Makes the way through rings to several workers. */
    interface Routes
    {
        /**
         * Makes the way of one more source thread.
         *
         * @param inputs a ring a worker
         * @param table  owners of partitions
         * @return route for that thread
         */
        RowRoute open(WorkerInput[] inputs, RouteTable table);
    }

    /**
     * One worker's part of the group.
     *
     * @param worker    runs it; {@code null} when it runs on the source's thread
     * @param instances an instance of each pipeline of the group
     */
    record Member(Worker worker, PipelineInstance[] instances)
    {
    }

    /**
     * Makes a group.
     *
     * @param ordering        of all its pipelines
     * @param partitionColumn of all its pipelines, -1 for none
     * @param timeDriven      whether one of them puts out rows when time passes
     * @param schema          of the channel
     * @param members         one a worker that runs it
     */
    PipelineGroup(
        final OrderingConstraint ordering,
        final int partitionColumn,
        final boolean timeDriven,
        final BatchSchema schema,
        final List<Member> members)
    {
        this(schema, members, column -> true, false, (inputs, table) ->
            ordering == OrderingConstraint.PARTITION_ORDERED && inputs.length > 1
                ? new PartitionRoute(inputs, partitionColumn, table, timeDriven)
                : new RoundRobinRoute(inputs, timeDriven));
    }

    /**
     * Makes a group with routes of its own.
     *
     * @param schema  of the channel
     * @param members one a worker that runs it
     * @param columns which of a row it reads
     * @param ahead   whether workers take its rows before those of other channels that came after them
     * @param routes  the way to the workers
     */
    PipelineGroup(
        final BatchSchema schema, final List<Member> members, final IntPredicate columns, final boolean ahead,
        final Routes routes)
    {
        this.columns = columns;
        this.ahead = ahead;
        this.schema = schema;
        this.members = List.copyOf(members);
        this.routes = routes;
    }

    List<Member> members()
    {
        return members;
    }

    /**
     * Makes the way of one more source thread to the group.
     *
     * @param table     owners of partitions
     * @param rejection counts rows that come too late
     * @param memory    opens an account for a ring
     * @return route for that thread
     */
    RowRoute open(final RouteTable table, final RowRejection rejection, final Supplier<MemoryAccount> memory)
    {
        if (members.get(0).worker() == null)
        {
            return new InlineRoute(schema, members.get(0).instances());
        }
        final WorkerInput[] inputs = members.stream()
            .map(member ->
                new WorkerInput(schema, columns, member.instances(), member.worker(), rejection, ahead, memory.get()))
            .toArray(WorkerInput[]::new);
        for (int i = 0; i < inputs.length; i++)
        {
            members.get(i).worker().add(inputs[i]);
        }
        return routes.open(inputs, table);
    }
}
