package dev.millrace.tuning.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the benchmarks of parts. In a build: each for a few milliseconds in this process, to check that they work. With
 * the system property {@code parts}, a regular expression over their names: in separate processes, for figures.
 */
@Timeout(3600)
class PartsTest
{
    private static final String PARTS = System.getProperty("parts", "");

    @Test
    void shouldMeasureEachPart() throws Exception
    {
        final boolean inFull = !PARTS.isEmpty();
        final Collection<RunResult> results = inFull ? measure() : tryOut();
        results.forEach(result -> System.out.printf(Locale.ROOT, "%-60s %10.2f ns%n", name(result),
            result.getPrimaryResult().getScore()));
        assertThat(results).isNotEmpty().allSatisfy(result ->
            assertThat(result.getPrimaryResult().getScore()).as(name(result)).isPositive());
        if (!inFull)
        {
            assertThat(results).extracting(PartsTest::part).contains("TableBenchmark", "WindowBenchmark",
                "RingBenchmark", "CodecBenchmark", "SharingBenchmark");
        }
    }

    private static Collection<RunResult> measure() throws RunnerException
    {
        return new Runner(common().include(PARTS).forks(2).jvmArgsAppend("-Xmx2g", "-XX:+UseSerialGC")
            .warmupIterations(5).warmupTime(TimeValue.seconds(1))
            .measurementIterations(7).measurementTime(TimeValue.seconds(1))
            .addProfiler(GCProfiler.class).build()).run();
    }

    private static Collection<RunResult> tryOut() throws RunnerException
    {
        // No figures are reported, so two builds on one machine may run it at the same time.
        System.setProperty("jmh.ignoreLock", "true");
        return new Runner(common().include("dev\\.millrace\\.tuning\\.parts\\..*").forks(0)
            .verbosity(VerboseMode.SILENT)
            .param("texts", "300").param("keys", "1000").param("rows", "1000").param("rowsPerFrame", "10")
            .param("by", "symbol")
            .warmupIterations(0).measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(20)).build()).run();
    }

    private static ChainedOptionsBuilder common()
    {
        return new OptionsBuilder().mode(Mode.AverageTime).timeUnit(TimeUnit.NANOSECONDS).shouldFailOnError(true);
    }

    private static String part(final RunResult result)
    {
        final List<String> names = List.of(result.getParams().getBenchmark().split("\\."));
        return names.get(names.size() - 2);
    }

    private static String name(final RunResult result)
    {
        final String benchmark = result.getParams().getBenchmark();
        return benchmark.substring(benchmark.lastIndexOf('.', benchmark.lastIndexOf('.') - 1) + 1) + ' ' +
            result.getParams().getParamsKeys().stream().map(key -> key + '=' + result.getParams().getParam(key))
                .collect(Collectors.joining(" "));
    }
}
