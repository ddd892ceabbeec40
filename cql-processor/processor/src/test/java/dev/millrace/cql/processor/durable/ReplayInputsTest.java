package dev.millrace.cql.processor.durable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.processor.FlowRun;
import dev.millrace.cql.processor.FlowRun.Step;
import dev.millrace.cql.processor.ReplayInput;
import dev.millrace.cql.processor.RunningCqlProcessor;
import dev.millrace.cql.processor.TestWiring;
import dev.millrace.journal.JournalReader;
import dev.millrace.journal.Journals;
import dev.millrace.network.durable.RecordDecoder;
import dev.millrace.network.durable.RecordKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rules that receive the recorded batches of each thread emit what the processor emitted, even if all columns are null
 * that they do not read by their own account.
 */
@Tag("slow")
@Timeout(120)
class ReplayInputsTest
{
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(60);
    private static final String ORDER = "PARTITION_ORDERED";
    private static final int SYMBOLS = 5;
    private static final long MILLISECOND = 1_000_000;

    @TempDir
    private Path directory;

    /** Statements over one channel, which run as pipelines, by the value of their first column. */
    static Stream<String> pipelines()
    {
        return Stream.of(
            "select sym, count(*) as n from S group by sym",
            "select sym, q from S where q > 1",
            "select sym, max(price) as m, sum(q) as s from S group by sym having count(*) > 2",
            "RStream(select S.sym as sym, S.q as q, C.name as name from S[now] as S, C as C where S.sym = C.sym)",
            "select m.sym, m.x from S match_recognize (partition by sym measures A.sym as sym, B.q as x all matches " +
                "pattern (A B) define B as B.price > A.price) as m");
    }

    @ParameterizedTest
    @MethodSource("pipelines")
    void shouldEmitTheRowsOfThePipelines(final String rule) throws Exception
    {
        final long seed = Long.getLong("seed", 20_261_129L);
        System.out.println("seed=" + seed + " rule=" + rule);
        final Random random = new Random(seed);
        final List<Step> steps = new ArrayList<>();
        for (int i = 1; i <= 200; i++)
        {
            steps.add(new Step("S", i * MILLISECOND, List.of(List.of("s" + random.nextInt(SYMBOLS),
                (double)random.nextInt(10), random.nextInt(4))), List.of(EventBatch.INSERT)));
        }
        for (int workers = 1; workers <= 2; workers++)
        {
            final TestStorage storage = new TestStorage(directory.resolve("pipeline-" + workers));
            final List<TestWiring.Row> whole =
                new FlowRun(rule, ORDER, "sym", workers, 1).asPlanned().storedIn(storage).run(steps);
            assertThat(whole).isNotEmpty();
            assertThat(partitions(replayed(new FlowRun(rule, ORDER, "sym", 1, 1).asPlanned(), storage,
                "pipeline-" + workers, true))).as("seed=%d workers=%d", seed, workers).isEqualTo(partitions(whole));
        }
    }

    static Stream<List<String>> flows()
    {
        return DurableProcessorTest.statements();
    }

    @ParameterizedTest
    @MethodSource("flows")
    void shouldEmitTheRowsOfTheFlows(final List<String> rule) throws Exception
    {
        final long seed = Long.getLong("seed", 20_261_129L);
        System.out.println("seed=" + seed + " rule=" + rule);
        final Random random = new Random(seed);
        for (int workers = 1; workers <= 2; workers++)
        {
            final List<Step> steps = FlowRun.calmed(FlowRun.steps(random, 150, SYMBOLS), SYMBOLS);
            final TestStorage storage = new TestStorage(directory.resolve("flow-" + workers));
            final List<TestWiring.Row> whole =
                new FlowRun(rule.get(1), ORDER, rule.get(0), workers, 1).storedIn(storage).run(steps);
            assertThat(partitions(replayed(new FlowRun(rule.get(1), ORDER, rule.get(0), 1, 1), storage,
                "flow-" + workers, false))).as("seed=%d workers=%d", seed, workers).isEqualTo(partitions(whole));
        }
    }

    /** The output of rules that are started once for each unit. */
    private List<TestWiring.Row> replayed(final FlowRun rules, final TestStorage storage, final String name,
        final boolean isPipeline) throws Exception
    {
        final List<TestWiring.Row> rows = new ArrayList<>();
        for (final String unit : storage.units())
        {
            rules.start();
            final List<ReplayInput> inputs = ((RunningCqlProcessor)rules.running()).replayInputs();
            assertThat(inputs).isNotEmpty()
                .allMatch(input -> input.group().equals("S PARTITION_ORDERED 0") == isPipeline);
            try (JournalReader reader = Journals.openReader(directory.resolve(name).resolve(unit)))
            {
                final RecordDecoder record = new RecordDecoder();
                while (reader.next())
                {
                    record.begin(reader.bytes(), reader.length());
                    pass(record, inputs);
                }
            }
            assertThat(rules.running().drain(DRAIN_NS)).isTrue();
            rules.running().stop();
            rows.addAll(rules.wiring().rows("q"));
        }
        return rows;
    }

    private static void pass(final RecordDecoder record, final List<ReplayInput> inputs) throws Exception
    {
        if (record.kind() != RecordKind.ROWS && record.kind() != RecordKind.TIME || record.group().cache() != null)
        {
            return;
        }
        final ReplayInput input =
            inputs.stream().filter(each -> each.group().equals(record.group().name())).findFirst().orElseThrow();
        if (record.kind() == RecordKind.TIME)
        {
            final EventBatch time = new EventBatch(input.schema());
            time.baseTimestampNs(record.timeNs());
            input.sink().onBatch(time);
            return;
        }
        final EventBatch rows = record.rows();
        final EventType type = input.schema().type();
        final int[] columns = new int[type.properties().size()];
        for (int column = 0; column < columns.length; column++)
        {
            columns[column] = input.reads().test(column) ?
                rows.schema().type().indexOf(type.properties().get(column).name()) : -1;
            assertThat(!input.reads().test(column) || columns[column] >= 0).isTrue();
        }
        input.sink().onBatch(EventBatch.view(rows, input.schema(), columns));
    }

    private static Map<Object, List<TestWiring.Row>> partitions(final List<TestWiring.Row> rows)
    {
        final Map<Object, List<TestWiring.Row>> found = new LinkedHashMap<>();
        rows.forEach(row -> found.computeIfAbsent(row.values().get(0), key -> new ArrayList<>()).add(row));
        return found;
    }
}
