package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.compiler.CompiledPipeline;
import dev.millrace.cql.compiler.PipelineCompiler;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.cql.runtime.state.PartitionSelection;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Statements of one query template that share a sink, in batches of all sizes: runs of usual rows, and special cases
 * that end a run. The expected rows are computed from scratch from the events in the window at each instant.
 */
@Tag("slow")
@Timeout(120)
class FamilyRunTest
{
    private static final int SYMBOLS = 6;
    private static final int EVENTS = 12_000;
    private static final long STEP_NS = 1_000_000L;
    private static final long RANGE_NS = 2_000 * STEP_NS;
    private static final int ROWS = 40;
    private static final EventType EVENT = EventType.tuple("Event", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("price", CqlType.DOUBLE), new EventProperty("volume", CqlType.INT));

    private record Event(long timeNs, String symbol, Double price, Integer volume)
    {
    }

    private record Row(long timeNs, String symbol, Double vwap, Integer volume)
    {
        boolean shows(final Row other)
        {
            return Objects.equals(vwap, other.vwap) && Objects.equals(volume, other.volume);
        }
    }

    /** One statement, computed from scratch. */
    private static final class Model
    {
        private final String symbol;
        private final boolean byTime;
        private final List<Row> rows = new ArrayList<>();
        private final Deque<Event> window = new ArrayDeque<>();
        private Row last;

        Model(final String symbol, final boolean byTime)
        {
            this.symbol = symbol;
            this.byTime = byTime;
            last = row(Long.MIN_VALUE);
            rows.add(last);
        }

        void pass(final long timeNs)
        {
            while (byTime && !window.isEmpty() && window.peek().timeNs + RANGE_NS < timeNs)
            {
                show(window.remove().timeNs + RANGE_NS);
            }
        }

        void arrive(final Event event)
        {
            pass(event.timeNs);
            if (!byTime && window.size() == ROWS || byTime && !window.isEmpty() &&
                window.peek().timeNs + RANGE_NS == event.timeNs)
            {
                window.remove();
            }
            window.add(event);
            show(event.timeNs);
        }

        private void show(final long timeNs)
        {
            final Row row = row(timeNs);
            if (!row.shows(last))
            {
                rows.add(row);
            }
            last = row;
        }

        private Row row(final long timeNs)
        {
            final double[] turnovers = window.stream().filter(each -> each.price != null && each.volume != null)
                .mapToDouble(each -> each.price * each.volume).toArray();
            final int[] volumes = window.stream().filter(each -> each.volume != null)
                .mapToInt(Event::volume).toArray();
            final int volume = Arrays.stream(volumes).sum();
            return new Row(timeNs, symbol, turnovers.length == 0 ? null : Arrays.stream(turnovers).sum() / volume,
                volumes.length == 0 ? null : volume);
        }
    }

    private final List<Row> out = new ArrayList<>();
    private CompiledPipeline compiled;
    private PipelineBindings bindings;
    private final EventBatch batch = new EventBatch(new BatchSchema(EVENT));

    private void collect(final EventBatch rows)
    {
        for (int i = 0; i < rows.size(); i++)
        {
            out.add(new Row(rows.timestampNs(i), rows.texts(0).string(i),
                rows.isNull(1, i) ? null : (Double)rows.doubles(1)[i],
                rows.isNull(2, i) ? null : (Integer)rows.ints(2)[i]));
        }
    }

    private Pipeline start(final boolean byTime, final String condition) throws CqlException
    {
        final List<RuleText> rules = new ArrayList<>();
        for (int i = 0; i < SYMBOLS; i++)
        {
            final String window = byTime ? "range " + RANGE_NS / STEP_NS + " milliseconds" :
                "partition by symbol rows " + ROWS;
            rules.add(RuleText.query("q" + i, "IStream(select 'S" + i + "' as symbol, " +
                "sum(price * volume) / sum(volume) as vwap, sum(volume) as volume from Market[" + window +
                "] where symbol = 'S" + i + "'" + condition + ")"));
        }
        final PipelinePlan plan = new RulePlanner().plan("many", rules,
            Catalog.builder().stream("Market", EVENT).build()).pipelines().get(0);
        final Map<String, BatchSchema> schemas = new LinkedHashMap<>();
        final Map<String, EventBatchSink> sinks = new LinkedHashMap<>();
        final EventBatchSink sink = this::collect;
        for (final Operator.Output output : plan.outputs())
        {
            schemas.put(output.queryId(), new BatchSchema(output.type()));
            sinks.put(output.queryId(), sink);
        }
        compiled = new PipelineCompiler().compile(plan);
        assertThat(compiled.javaText()).contains("isPlain()");
        bindings = new PipelineBindings(batch.schema(), schemas, sinks, Map.of(), (rows, reason, detail) ->
            out.add(null));
        return compiled.instantiate(bindings);
    }

    /** A pipeline with a separate string table that continues from the state of another one. */
    private Pipeline restarted(final Pipeline pipeline)
    {
        final StateOutput to = new StateOutput(1 << 24);
        pipeline.write(to, PartitionSelection.ALL);
        final StringTable strings = PipelineBindings.newStrings(MemoryAccount.NONE);
        strings.literal("of another process");
        final Pipeline other = compiled.instantiate(new PipelineBindings(bindings.source(), bindings.outputSchemas(),
            bindings.outputs(), Map.of(), bindings.rejection(), MemoryAccount.NONE, strings));
        final StateInput from = new StateInput(to.toBytes());
        other.read(from);
        from.end();
        return other;
    }

    private static Event event(final Random random, final long timeNs, final boolean isOdd)
    {
        final boolean strange = isOdd && random.nextInt(400) == 0;
        final Double price = !strange ? (Double)(random.nextInt(1, 4_000) / 64.0) : switch (random.nextInt(4))
        {
            case 0 -> null;
            case 1 -> Double.NaN;
            case 2 -> Double.NEGATIVE_INFINITY;
            default -> Double.POSITIVE_INFINITY;
        };
        final Integer volume = isOdd && random.nextInt(400) == 0 ? null : (Integer)(1 + random.nextInt(3));
        return new Event(timeNs, "S" + random.nextInt(SYMBOLS + 2), price, volume);
    }

    private void send(final Pipeline pipeline, final List<Event> events)
    {
        batch.clear();
        for (int i = 0; i < events.size(); i++)
        {
            final Event event = events.get(i);
            batch.texts(0).set(i, event.symbol);
            batch.doubles(1)[i] = event.price == null ? 0.0 : event.price;
            batch.ints(2)[i] = event.volume == null ? 0 : event.volume;
            batch.useTimestampPerRow()[i] = event.timeNs;
            if (event.price == null)
            {
                batch.setNull(1, i);
            }
            if (event.volume == null)
            {
                batch.setNull(2, i);
            }
        }
        batch.size(events.size());
        pipeline.onBatch(batch);
    }

    @ParameterizedTest
    @CsvSource({"1, true, false", "2, true, true", "3, false, false", "4, false, true", "5, true, true",
        "6, true, false", "7, false, true"})
    void shouldPutOutWhatEachStatementSaysWhateverComesBetween(final long seed, final boolean byTime,
        final boolean isOdd) throws CqlException
    {
        run(seed, byTime, isOdd, EVENTS);
    }

    @ParameterizedTest
    @CsvSource({"11, true, false", "12, true, true", "13, false, false", "14, false, true", "15, true, true"})
    void shouldGoOnWithWhatOtherInstancesHaveWritten(final long seed, final boolean byTime, final boolean isOdd)
        throws CqlException
    {
        run(seed, byTime, isOdd, EVENTS / 10);
    }

    /** Restarts after a number of events; then statistics are those of the last instance. */
    private void run(final long seed, final boolean byTime, final boolean isOdd, final int restartEvents)
        throws CqlException
    {
        final Random random = new Random(seed);
        final boolean isFiltered = byTime && seed % 2 == 0;
        Pipeline pipeline = start(byTime, isFiltered ? " and volume < 3" : "");
        final List<Model> models = new ArrayList<>();
        for (int i = 0; i < SYMBOLS; i++)
        {
            models.add(new Model("S" + i, byTime));
        }
        final int oddNs = seed % 3 == 0 ? 9 : 1; // When steps are even, rows leave exactly at the times of others.
        final int[] shown = new int[SYMBOLS];
        long timeNs = 0;
        int muted = SYMBOLS;
        for (int sent = 0; sent < EVENTS;)
        {
            final List<Event> events = new ArrayList<>();
            final int size = 1 + random.nextInt(random.nextInt(4) == 0 ? 12 : EventBatch.CAPACITY);
            while (events.size() < size)
            {
                timeNs += random.nextInt(30) == 0 ? STEP_NS * random.nextInt(1, 90) + random.nextInt(oddNs) : STEP_NS;
                events.add(event(random, timeNs, isOdd && sent > EVENTS / 2));
            }
            if (sent / restartEvents != (sent + size) / restartEvents && muted == SYMBOLS)
            {
                pipeline = restarted(pipeline);
            }
            send(pipeline, events);
            sent += size;
            for (final Event event : events)
            {
                models.stream().filter(model -> model.symbol.equals(event.symbol))
                    .filter(model -> !isFiltered || event.volume != null && event.volume < 3)
                    .forEach(model -> model.arrive(event));
            }
            final long nowNs = timeNs;
            models.forEach(model -> model.pass(nowNs + 1));
            for (int i = 0; i < muted; i++)
            {
                shown[i] = models.get(i).rows.size();
            }
            if (sent > EVENTS * 3 / 4 && muted == SYMBOLS)
            {
                muted = SYMBOLS - 1;
                pipeline.mute("q" + muted);
            }
        }
        for (int i = 0; i < SYMBOLS; i++)
        {
            final Model model = models.get(i);
            assertThat(out.stream().filter(row -> row.symbol.equals(model.symbol))).as("seed=%d S%d", seed, i)
                .containsExactlyElementsOf(model.rows.subList(0, shown[i]));
            if (restartEvents == EVENTS)
            {
                assertThat(((Map<?, ?>)pipeline.statistics().get("rowsOut")).get("q" + i)).isEqualTo((long)shown[i]);
            }
        }
        assertThat(out).as("in order of time").extracting(Row::timeNs).isSorted();
    }
}
