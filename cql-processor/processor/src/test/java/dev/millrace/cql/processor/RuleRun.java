package dev.millrace.cql.processor;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.processor.FlowRun.Step;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DurationFormat;
import dev.millrace.network.definition.PatternAttempts;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.UserObjects;
import dev.millrace.network.spi.DurableStorage;
import dev.millrace.network.spi.ProcessorProvider.InputChannel;
import dev.millrace.network.spi.ProcessorProvider.TimeKind;
import dev.millrace.network.spi.RuleChange;
import dev.millrace.network.spi.RunningProcessor;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rules over the streams S and T in a processor, as a server plans them, which can be changed while it runs. */
public final class RuleRun
{
    private static final CqlProcessorProvider PROVIDER = new CqlProcessorProvider(new FlowRun.RememberedClasses());

    private final TimeKind time;
    private final int workers;
    private DurableStorage storage;
    private Receiver receiver;
    private List<Rule> rules;
    private List<String> channels = List.of("S", "T");
    private TestWiring wiring;
    private RunningProcessor running;
    private RuleChange begun;
    private Map<String, EventBatchSink> inputs;

    public RuleRun(final List<Rule> rules, final TimeKind time, final int workers)
    {
        this.rules = rules;
        this.time = time;
        this.workers = workers;
    }

    /** A query or view whose rows are partitioned by a column; in order without one. */
    public static Rule rule(final String id, final boolean isView, final String text, final String partitionBy)
    {
        return new Rule(id, isView, text, List.of(), partitionBy == null ? "ORDERED" : "PARTITION_ORDERED", partitionBy,
            true, SourcePosition.NONE);
    }

    public RuleRun storedIn(final DurableStorage there)
    {
        storage = there;
        return this;
    }

    /** The only channels of the application. */
    public RuleRun over(final List<String> all)
    {
        channels = all;
        return this;
    }

    public RuleRun receivedBy(final Receiver one)
    {
        receiver = one;
        return this;
    }

    private ProcessorStage definition()
    {
        return new ProcessorStage("proc", "cql", rules, Map.of(), UserObjects.NONE, workers, DurationFormat.NONE,
            PatternAttempts.DEFAULT, storage != null, List.of(), SourcePosition.NONE);
    }

    public RuleRun start() throws DeploymentException
    {
        build();
        begun = running.begin(wiring.dynamicOutputs());
        return this;
    }

    /** Creates the processor, whose stages below have not started. */
    public RuleRun build() throws DeploymentException
    {
        final Map<String, InputChannel> sources = new LinkedHashMap<>();
        for (final String name : channels)
        {
            sources.put(name, new InputChannel(name, FlowRun.type(name), false, time, false, List.of(), null, null));
        }
        wiring = new TestWiring(workers, 1).storage(storage).receivedBy(receiver);
        inputs = new HashMap<>();
        running = PROVIDER.plan(definition(), sources).start(wiring);
        return this;
    }

    /** The outcome for the queries whose rules were changed while it did not run. */
    public RuleChange begun()
    {
        return begun;
    }

    public RuleChange change(final List<Rule> next, final Runnable accepted) throws DeploymentException
    {
        final List<Rule> before = rules;
        rules = next;
        boolean isDone = false;
        try
        {
            final RuleChange change = running.change(definition(), wiring.dynamicOutputs(), accepted);
            isDone = true;
            return change;
        }
        finally
        {
            rules = isDone ? next : before;
        }
    }

    public RuleChange change(final List<Rule> next) throws DeploymentException
    {
        return change(next, () ->
        {
        });
    }

    public void send(final Step step)
    {
        send(step, RowSequence.NONE);
    }

    public EventBatchSink input(final String channel)
    {
        return inputs.computeIfAbsent(channel, running::openInput);
    }

    /** Sends rows that have numbers, of which this is the first. */
    public void send(final Step step, final long sequence)
    {
        final EventBatchSink input = input(step.channel());
        final EventBatch batch = new EventBatch(new BatchSchema(FlowRun.type(step.channel())));
        batch.baseTimestampNs(step.timeNs());
        for (int row = 0; row < step.rows().size(); row++)
        {
            final List<EventProperty> columns = batch.schema().type().properties();
            for (int column = 0; column < columns.size(); column++)
            {
                batch.setValue(column, row, step.rows().get(row).get(column));
            }
            batch.useTimestampPerRow()[row] = step.timeNs();
            if (sequence != RowSequence.NONE)
            {
                batch.useSequences()[row] = sequence + row;
            }
        }
        batch.size(step.rows().size());
        FlowRun.deliver(input, batch);
    }

    public TestWiring wiring()
    {
        return wiring;
    }

    public RunningCqlProcessor running()
    {
        return (RunningCqlProcessor)running;
    }
}
