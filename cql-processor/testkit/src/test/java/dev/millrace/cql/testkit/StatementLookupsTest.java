package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.compiler.CompiledPipeline;
import dev.millrace.cql.compiler.PipelineCompiler;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.cql.runtime.index.IndexedPipeline;
import dev.millrace.cql.runtime.index.StatementIndex;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Number of strings that many statements by symbol look up. The symbols are not ASCII, so that looking up one that a
 * table does not have allocates its bytes: the allocation of a batch counts such look-ups.
 */
@Timeout(120)
class StatementLookupsTest
{
    private static final int STATEMENTS = 400;
    private static final int WARM_UP = 200;
    private static final int BATCHES = 50;
    private static final EventType TICK = EventType.tuple("Tick", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("price", CqlType.DOUBLE), new EventProperty("volume", CqlType.INT));

    private long rowsOut;

    private StatementIndex index(final BatchSchema schema) throws CqlException
    {
        final Catalog catalog = Catalog.builder().stream("S", TICK).build();
        final List<RuleText> rules = IntStream.range(0, STATEMENTS).mapToObj(i -> RuleText.query("q" + i,
            "select symbol, price, volume from S where symbol = 'é" + i + "' and price > " + i / 1_000.0)).toList();
        final PipelineCompiler compiler = new PipelineCompiler();
        final List<IndexedPipeline> statements = new ArrayList<>();
        for (final PipelinePlan plan : new RulePlanner().plan("p", rules, catalog).pipelines())
        {
            final CompiledPipeline compiled = compiler.compile(plan);
            final String query = plan.outputs().get(0).queryId();
            statements.add(new IndexedPipeline(compiled.instantiate(new PipelineBindings(schema,
                Map.of(query, schema), Map.of(query, out -> rowsOut += out.size()), Map.of(),
                (rows, reason, detail) -> assertThat(reason).isNull())), compiled.filter()));
        }
        assertThat(statements).as("each has a pipeline of its own").hasSize(STATEMENTS);
        return new StatementIndex(statements);
    }

    @Test
    void shouldLookUpNoStringThatAStatementIsNotAskedAbout() throws CqlException
    {
        final BatchSchema schema = new BatchSchema(TICK);
        final StatementIndex index = index(schema);
        final String[] symbols = IntStream.range(0, STATEMENTS).mapToObj(i -> "é" + i).toArray(String[]::new);
        final EventBatch batch = new EventBatch(schema);
        final Random random = new Random(7);
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        long before = 0;
        for (int round = 0; round < WARM_UP + BATCHES; round++)
        {
            if (round == WARM_UP)
            {
                rowsOut = 0;
                before = threads.getCurrentThreadAllocatedBytes();
            }
            batch.clear();
            for (int row = 0; row < EventBatch.CAPACITY; row++)
            {
                batch.texts(0).set(row, symbols[random.nextInt(STATEMENTS)]);
                batch.doubles(1)[row] = 20;
                batch.ints(2)[row] = row;
            }
            batch.baseTimestampNs(round * 1_000L);
            batch.size(EventBatch.CAPACITY);
            index.onBatch(batch);
        }
        final long bytes = (threads.getCurrentThreadAllocatedBytes() - before) / BATCHES;
        assertThat(rowsOut).isEqualTo((long)BATCHES * EventBatch.CAPACITY);
        assertThat(bytes).as("bytes a batch: less than if each row were looked up once in vain")
            .isLessThan(EventBatch.CAPACITY * 16L);
    }
}
