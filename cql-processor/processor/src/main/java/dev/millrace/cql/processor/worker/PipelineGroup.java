package dev.millrace.cql.processor.worker;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import dev.millrace.cql.runtime.RejectionHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * Pipelines of one channel that receive rows together: they have the same ordering constraint and the same partition
 * column.
 *
 * <p>Threads: created before the first event; {@link #open} is called by the threads that open inputs.
 */
public final class PipelineGroup
{
    private final String name;
    private final Routes routes;
    private final BatchSchema schema;
    private final List<Member> members;
    private final IntPredicate columns;
    private final boolean ahead;
    private int[] primaryKey = {};
    private final List<IndexedInstances> replaying = new ArrayList<>();
    /** By member; {@code null} unless the application is durable. */
    private final BatchLog[] recorders;

    /** Creates routes through rings to several workers. */
    public interface Routes
    {
        /**
         * Creates the route of one more source thread.
         *
         * @param inputs one ring per worker
         * @param table  owners of partitions
         */
        RowRouter open(WorkerInput[] inputs, WorkerRoutingTable table);
    }

    /**
     * The part of the group on one worker.
     *
     * @param worker    worker; {@code null} if the source's thread runs it
     * @param instances one instance of each pipeline of the group
     */
    public record Member(Worker worker, PipelineInstance[] instances)
    {
    }

    /**
     * @param name            name, unique in the processor and the same after a restart
     * @param ordering        ordering constraint of all its pipelines
     * @param partitionColumn partition column of all its pipelines, -1 for none
     * @param timeDriven      whether one of them emits rows when time passes
     * @param schema          schema of the channel
     * @param members         one per worker
     */
    public PipelineGroup(
        final String name,
        final OrderingConstraint ordering,
        final int partitionColumn,
        final boolean timeDriven,
        final BatchSchema schema,
        final List<Member> members)
    {
        this(name, schema, members, column -> true, false, (inputs, table) ->
            ordering == OrderingConstraint.PARTITION_ORDERED && inputs.length > 1
                ? new KeyRouter(inputs, partitionColumn, table, timeDriven)
                : new RoundRobinRouter(inputs, timeDriven));
    }

    /**
     * Creates a group with special routes.
     *
     * @param name    name, unique in the processor and the same after a restart
     * @param schema  schema of the channel
     * @param members one per worker
     * @param columns columns that it reads
     * @param ahead   whether workers process its rows before rows of other channels that arrived later
     * @param routes  routes to the workers
     */
    public PipelineGroup(
        final String name, final BatchSchema schema, final List<Member> members, final IntPredicate columns,
        final boolean ahead, final Routes routes)
    {
        this.name = name;
        this.columns = columns;
        this.ahead = ahead;
        this.schema = schema;
        this.members = List.copyOf(members);
        recorders = new BatchLog[members.size()];
        this.routes = routes;
    }

    /** Sets the columns of the primary key of a relation; called when it is created. */
    public PipelineGroup withPrimaryKey(final List<Integer> of)
    {
        primaryKey = of.stream().mapToInt(Integer::intValue).toArray();
        return this;
    }

    /** The columns of the primary key of the channel; empty without one. */
    public int[] primaryKey()
    {
        return primaryKey.clone();
    }

    public String name()
    {
        return name;
    }

    public BatchSchema schema()
    {
        return schema;
    }

    /** Which columns its pipelines read, by index. */
    public IntPredicate columns()
    {
        return columns;
    }

    /** Appends all that a member receives to a journal; set before an input is opened. */
    public void recordTo(final int member, final BatchLog recorder)
    {
        recorders[member] = recorder;
    }

    /** Passes batches to a member as a route does, until {@link #endReplay}. */
    public EventBatchSink replay(final int member)
    {
        final IndexedInstances instances = new IndexedInstances(members.get(member).instances());
        replaying.add(instances);
        return instances::onBatch;
    }

    /** From now on the members receive their rows from routes. */
    public void endReplay()
    {
        replaying.forEach(IndexedInstances::close);
        replaying.clear();
    }

    public List<Member> members()
    {
        return members;
    }

    /**
     * Creates the route of one more source thread to the group.
     *
     * @param table     owners of partitions
     * @param rejection counts rows that arrive too late
     * @param memory    opens an account for a ring
     */
    public RowRouter open(final WorkerRoutingTable table, final RejectionHandler rejection,
        final Supplier<MemoryAccount> memory)
    {
        if (members.get(0).worker() == null)
        {
            return new InlineRouter(members.get(0).instances(), recorders[0]);
        }
        final WorkerInput[] inputs = new WorkerInput[members.size()];
        for (int i = 0; i < inputs.length; i++)
        {
            final Member member = members.get(i);
            inputs[i] = new WorkerInput(schema, columns, member.instances(), member.worker(), rejection, ahead,
                memory.get(), recorders[i]);
            members.get(i).worker().add(inputs[i]);
        }
        return routes.open(inputs, table);
    }
}
