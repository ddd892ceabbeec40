package dev.millrace.cql.processor.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.plan.flow.FlowRoute;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.cql.runtime.RejectionHandler;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The times that workers without rows receive. */
@Timeout(60)
class FlowRouterTest
{
    private static final BatchSchema SCHEMA =
        new BatchSchema(EventType.tuple("Row", new EventProperty("v", CqlType.INT)));
    private static final RejectionHandler NONE = (rows, reason, detail) ->
    {
        throw new AssertionError("rejected, reason=" + reason);
    };

    /** Records the time. */
    private static final class Listener extends Pipeline
    {
        private Long timeNs;

        Listener()
        {
            super(new PipelineBindings(SCHEMA, Map.of(), Map.of(), Map.of(), NONE), new String[0], new String[0]);
        }

        @Override
        public void onBatch(final EventBatch batch)
        {
            timeNs = batch.size() == 0 ? batch.baseTimestampNs() : null;
        }

        @Override
        public void onRows(final EventBatch batch, final int[] rows, final int count)
        {
            timeNs = null;
        }
    }

    private static Long heard(final long rowNs, final boolean ties)
    {
        final ThreadWorker worker = new ThreadWorker("test", Thread::new);
        final Listener listener = new Listener();
        final WorkerInput[] inputs = new WorkerInput[2];
        for (int i = 0; i < inputs.length; i++)
        {
            inputs[i] = new WorkerInput(SCHEMA, column -> true, new PipelineInstance[]{
                new PipelineInstance("test", listener, List.of(), NONE)}, worker, NONE, false, MemoryAccount.NONE);
        }
        final EventBatch batch = new EventBatch(SCHEMA);
        batch.useTimestampPerRow()[0] = rowNs;
        batch.size(1);
        new FlowRouter(inputs, FlowRoute.Kind.ANY, new WorkerRoutingTable(2), null, ties).send(batch);
        inputs[1].run(inputs[1].poll());
        return listener.timeNs;
    }

    @Test
    void shouldNotSayThatAllTimeHasPassedAfterARowOfTheBeginningOfTime()
    {
        assertThat(heard(5, true)).isEqualTo(4);
        assertThat(heard(5, false)).isEqualTo(5);
        assertThat(heard(Long.MIN_VALUE, true)).isEqualTo(Long.MIN_VALUE);
    }
}
