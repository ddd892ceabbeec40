package dev.millrace.cql.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.time.Clock;
import dev.millrace.cql.compiler.janino.ClassCache;
import dev.millrace.cql.processor.PairPlan.Tick;
import dev.millrace.cql.processor.classcache.FileClassCache;
import dev.millrace.network.spi.PlannedProcessor;
import dev.millrace.network.spi.RunningProcessor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Restarted rules emit the expected rows, and are compiled only when necessary. */
@Timeout(60)
class KeptRulesTest
{
    private static final String FLOW =
        "IStream(select symbol, count(*) as n from S [range 5 seconds] group by symbol)";

    @TempDir
    private Path domain;

    private final AtomicInteger compiled = new AtomicInteger();

    private Path directory()
    {
        return domain.resolve("generated");
    }

    /** Counts stored classes, which are the compiled ones. */
    private record Counting(FileClassCache store, AtomicInteger compiled) implements ClassCache
    {
        @Override
        public Map<String, byte[]> find(final String className, final String javaText)
        {
            return store.find(className, javaText);
        }

        @Override
        public void keep(final String className, final String javaText, final Map<String, byte[]> classFiles)
        {
            compiled.incrementAndGet();
            store.keep(className, javaText, classFiles);
        }

        @Override
        public void refused(final String className, final String javaText, final Throwable reason)
        {
            store.refused(className, javaText, reason);
        }
    }

    /** Starts the rules in a new provider and returns how many classes were compiled. */
    private int start(final String query, final boolean withRows) throws Exception
    {
        final FileClassCache store =
            new FileClassCache(directory(), () -> "a build", FileClassCache.MAX_FILES, Clock.SYSTEM);
        final int before = compiled.get();
        final Cache cache = PairPlan.cache(PairPlan.halfOf(20));
        final PlannedProcessor planned = new CqlProcessorProvider(new Counting(store, compiled))
            .plan(SignalRules.stage(cache, query), SignalRules.channels());
        final TestWiring wiring = new TestWiring(2, 1);
        final RunningProcessor running = planned.start(wiring);
        if (withRows)
        {
            final List<Tick> ticks = PairPlan.ticks(new Random(7), 2_000, 20);
            final EventBatchSink input = running.openInput(PairPlan.CHANNEL);
            final EventBatch batch = new EventBatch(new BatchSchema(PairPlan.TICK));
            for (int from = 0; from < ticks.size(); from += 100)
            {
                PairPlan.fill(batch, ticks, from, 100);
                input.onBatch(batch);
            }
            assertThat(running.drain(TimeUnit.SECONDS.toNanos(60))).isTrue();
            assertThat(wiring.sequences(PairPlan.QUERY)).isEqualTo(
                PairPlan.expected(ticks, Set.of(PairPlan.halfOf(20))));
        }
        running.stop();
        assertThat(store.close(10_000)).isTrue();
        return compiled.get() - before;
    }

    private List<Path> files() throws IOException
    {
        try (Stream<Path> files = Files.list(directory()))
        {
            return files.toList();
        }
    }

    @Test
    void shouldPutOutTheSameRowsWithoutCompilingWhenStartedAgain() throws Exception
    {
        assertThat(start(SignalRules.QUERY, true)).isPositive();
        assertThat(start(SignalRules.QUERY, true)).isZero();
    }

    @Test
    void shouldCompileNoFlowTwice() throws Exception
    {
        assertThat(start(FLOW, false)).isPositive();
        assertThat(start(FLOW, false)).isZero();
    }

    @Test
    void shouldCompileOnceMoreWhenTheTextOfARuleHasChanged() throws Exception
    {
        start(SignalRules.QUERY, true);
        assertThat(start(SignalRules.QUERY.replace("> 2.0", "> 2.5"), false)).isPositive();
        assertThat(start(SignalRules.QUERY, true)).isZero();
    }

    @Test
    void shouldPutOutTheSameRowsAndRepairTheFilesWhenAllAreDamaged() throws Exception
    {
        final int all = start(SignalRules.QUERY, true);
        for (final Path file : files())
        {
            final byte[] bytes = Files.readAllBytes(file);
            bytes[bytes.length / 2] ^= 1;
            Files.write(file, bytes);
        }
        assertThat(start(SignalRules.QUERY, true)).isEqualTo(all);
        assertThat(start(SignalRules.QUERY, true)).isZero();
    }

    @Test
    void shouldPutOutTheSameRowsWhenNothingCanBeWritten() throws Exception
    {
        Files.createFile(directory());
        assertThat(start(SignalRules.QUERY, true)).isPositive();
        assertThat(start(SignalRules.QUERY, true)).isPositive();
    }
}
