package dev.millrace.cql.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.processor.PairPlan.Tick;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.processor.worker.WorkerRoutingTable;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.spi.PlannedProcessor;
import dev.millrace.network.spi.QueryOutput;
import dev.millrace.network.spi.RunningProcessor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From the text of rules to rows. */
@Tag("slow")
@Timeout(180)
class CqlProcessorProviderTest
{
    private static final int SYMBOLS = 60;

    private final CqlProcessorProvider provider = new CqlProcessorProvider();
    private final Cache cache = PairPlan.cache(PairPlan.halfOf(SYMBOLS));

    private List<Problem> problems(final ProcessorStage stage)
    {
        return catchThrowableOfType(DeploymentException.class,
            () -> provider.plan(stage, SignalRules.channels())).problems();
    }

    @Test
    void shouldNameTheOutputOfEachQueryWhenTheStatementsAreRight() throws Exception
    {
        final PlannedProcessor planned =
            provider.plan(SignalRules.stage(cache, SignalRules.QUERY), SignalRules.channels());

        assertThat(planned.outputs()).extracting(QueryOutput::queryId).containsExactly("perc");
        assertThat(planned.outputs().get(0).relation()).isFalse();
        assertThat(planned.outputs().get(0).type().properties())
            .extracting(EventProperty::name).containsExactly("symbol", "lastPrice", "percLastPrice");
        assertThat(planned.outputs().get(0).type().properties())
            .extracting(EventProperty::type).containsExactly(CqlType.CHAR, CqlType.DOUBLE, CqlType.DOUBLE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldFindTheSignalsWhenTheWhitePapersStatementsRun(final int workers) throws Exception
    {
        final PlannedProcessor planned =
            provider.plan(SignalRules.stage(cache, SignalRules.QUERY), SignalRules.channels());
        final TestWiring wiring = new TestWiring(workers, 1);
        final RunningProcessor running = planned.start(wiring);
        final List<Tick> ticks = PairPlan.ticks(new Random(31), 20_000, SYMBOLS);
        final EventBatchSink input = running.openInput(PairPlan.CHANNEL);
        final EventBatch batch = new EventBatch(new BatchSchema(PairPlan.TICK));
        for (int from = 0; from < ticks.size(); from += 100)
        {
            PairPlan.fill(batch, ticks, from, 100);
            input.onBatch(batch);
        }

        assertThat(running.drain(TimeUnit.SECONDS.toNanos(60))).isTrue();
        assertThat(wiring.sequences(PairPlan.QUERY)).isEqualTo(
            PairPlan.expected(ticks, Set.of(PairPlan.halfOf(SYMBOLS))));
        assertThat(running.statistics().get("plan").toString()).isNotBlank();
        running.stop();
    }

    @Test
    void shouldPointIntoTheFileWhenAColumnIsMisspelled()
    {
        final String[] lines = SignalRules.QUERY.split("\n", -1);
        int line = 0;
        while (!lines[line].contains("B.lastPrice as lastPrice"))
        {
            line++;
        }
        final List<Problem> problems = problems(SignalRules.stage(
            cache, SignalRules.QUERY.replace("B.lastPrice as lastPrice", "B.lastPrize as lastPrice")));

        assertThat(problems).hasSize(1);
        assertThat(problems.get(0).code()).startsWith("CQL-");
        assertThat(problems.get(0).text()).contains("lastPrize");
        assertThat(problems.get(0).position().file()).isEqualTo(SignalRules.FILE);
        // The text starts at line 20 of the file; editors count columns from 1.
        assertThat(problems.get(0).position().line()).isEqualTo(20 + line);
        assertThat(problems.get(0).position().column()).isBetween(
            lines[line].indexOf("B.lastPrice") + 1, lines[line].indexOf("lastPrice") + 1);
        assertThat(problems.get(0).excerpt()).contains("lastPrize").contains("^");
    }

    @Test
    void shouldReportTheProblemsOfAllRulesTogether()
    {
        final ProcessorStage good = SignalRules.stage(cache, SignalRules.QUERY);
        final List<ProcessorStage.Rule> rules = new ArrayList<>(good.rules());
        rules.add(query("one", "select nothing from StockTickStream[now]", true));
        rules.add(query("two", "select symbol frm StockTickStream", true));
        final List<Problem> problems = problems(with(good, rules));

        assertThat(problems).extracting(problem -> problem.position().line()).contains(101, 102);
    }

    private static ProcessorStage.Rule query(final String id, final String text, final boolean active)
    {
        return new ProcessorStage.Rule(id, false, text, List.of(), null, null, active,
            new SourcePosition(SignalRules.FILE, "one".equals(id) ? 101 : 102, 1));
    }

    private static ProcessorStage with(final ProcessorStage stage, final List<ProcessorStage.Rule> rules)
    {
        return new ProcessorStage(stage.id(), stage.provider(), rules, stage.cacheSources(), stage.workers(),
            stage.listeners(), stage.position());
    }

    @Test
    void shouldLeaveARuleOutWhenItIsNotActive() throws Exception
    {
        final ProcessorStage good = SignalRules.stage(cache, SignalRules.QUERY);
        final List<ProcessorStage.Rule> rules = new ArrayList<>(good.rules());
        rules.add(query("one", "this is no CQL at all", false));

        assertThat(provider.plan(with(good, rules), SignalRules.channels()).outputs()).hasSize(1);
    }

    @Test
    void shouldRefuseWhenACacheHasNoValueType()
    {
        final ProcessorStage good = SignalRules.stage(cache, SignalRules.QUERY);
        final ProcessorStage bad = new ProcessorStage(good.id(), good.provider(), good.rules(),
            Map.of("symbolsRelation", new ProcessorStage.CacheSource(
                cache, new CacheSettings("symbolsCache", null, List.of(), 10, null))),
            0, List.of(), good.position());

        assertThat(problems(bad)).extracting(Problem::code).containsExactly(ProcessorErrorCode.CACHE_NOT_USABLE);
    }

    @Test
    void shouldRefuseWhenMoreWorkersAreAskedForThanThereCanBe() throws Exception
    {
        final PlannedProcessor planned =
            provider.plan(SignalRules.stage(cache, SignalRules.QUERY), SignalRules.channels());

        assertThat(catchThrowableOfType(DeploymentException.class,
            () -> planned.start(new TestWiring(WorkerRoutingTable.MAX_WORKERS + 1, 1))).problems())
            .extracting(Problem::code).containsExactly(ProcessorErrorCode.TOO_MANY_WORKERS);
    }
}
