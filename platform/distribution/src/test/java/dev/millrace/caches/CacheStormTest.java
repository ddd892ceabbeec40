package dev.millrace.caches;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import dev.millrace.api.cache.Cache;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.TupleEvent;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cost of one member's cache changes to another member that joins with the cache. Both processes share the processors
 * of this machine, so that the elapsed time is more than the cost; the processor times of both are also printed, that
 * of this process per event. By default a short run that checks that nothing is lost; for figures run {@code
 * -Dtest=CacheStormTest -Dmillrace.storm.seconds=5 -Dmillrace.storm.rounds=5 -Dmillrace.storm.warmup=30}.
 */
@Tag("slow")
@Timeout(300)
class CacheStormTest
{
    private static final double SECONDS = Double.parseDouble(System.getProperty("millrace.storm.seconds", "0.5"));
    /** Seconds of a preceding storm, in which both processes compile their code. */
    private static final double WARM_UP = Double.parseDouble(System.getProperty("millrace.storm.warmup", "0"));
    private static final int ROUNDS = Integer.getInteger("millrace.storm.rounds", 2);
    private static final int PER_SECOND = Integer.getInteger("millrace.storm.rate", 10_000);
    private static final int SYMBOLS = 1470;

    @TempDir
    private Path directory;

    private final OperatingSystemMXBean system = (OperatingSystemMXBean)ManagementFactory.getOperatingSystemMXBean();
    private final ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    private Limits.Feed feed;
    private ProcessHandle other;
    private final String[] symbols = new String[1 << 14];

    /**
     * Figures of one measurement.
     *
     * @param perSecond  events per second of elapsed time
     * @param cpuNs      processor time of this process per event
     * @param threadNs   processor time of the joining thread per event
     * @param stormShare processor time of the other process per second of elapsed time
     */
    private record Figures(double perSecond, double cpuNs, double threadNs, double stormShare)
    {
    }

    @Test
    void shouldLoseNothingWhileAnotherMemberChangesTheCacheAllTheTime() throws Exception
    {
        final int ports = MemberApplication.freePorts();
        try (MemberApplication member = new MemberApplication("joins", ports, directory))
        {
            // The longest-running member is the leader: the member with more work.
            member.deploy(Limits.ASSEMBLY, Limits.CONFIGURATION);
            final Process process = storm(ports);
            other = process.toHandle();
            try (BufferedReader answers = new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                PrintStream commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8))
            {
                assertThat(answer(answers)).isEqualTo("ready");
                // All symbols are in the cache from now on.
                commands.println("storm 1000 1");
                assertThat(answer(answers)).isEqualTo("1000");
                measure(member, answers, commands);
                commands.println("end");
                assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            }
            finally
            {
                process.destroyForcibly();
            }
        }
    }

    private void measure(final MemberApplication member, final BufferedReader answers, final PrintStream commands)
        throws Exception
    {
        feed = member.bean("feed", Limits.Feed.class);
        final SplittableRandom random = new SplittableRandom(42);
        for (int i = 0; i < symbols.length; i++)
        {
            symbols[i] = StormMember.symbol(random.nextInt(SYMBOLS));
        }
        commands.println("storm " + PER_SECOND + ' ' + WARM_UP);
        run(Math.max(WARM_UP, 2 * SECONDS));
        final long before = Long.parseLong(answer(answers));
        final List<Figures> calm = new ArrayList<>();
        final List<Figures> stormy = new ArrayList<>();
        final Map<String, Long> threads = new TreeMap<>();
        for (int i = 0; i < ROUNDS; i++)
        {
            calm.add(run(SECONDS));
            count(threads, -1);
            commands.println("storm " + PER_SECOND + ' ' + SECONDS);
            stormy.add(run(SECONDS));
            count(threads, 1);
            final String changes = answer(answers);
            assertThat(Long.parseLong(changes)).isEqualTo(before + (i + 1) * (long)(PER_SECOND * SECONDS));
            checkLast(member.bean("limits", Cache.class), Long.parseLong(changes));
        }
        assertThat(member.bean("out", Limits.Alerts.class).count).as("no tick is above a limit").hasValue(0);
        final Figures without = middle(calm);
        final Figures with = middle(stormy);
        System.out.printf("cache storm of %,d/s: %,.0f events/s without, %,.0f with (%.1f %%)%n", PER_SECOND,
            without.perSecond, with.perSecond, 100 * with.perSecond / without.perSecond);
        System.out.printf("  processor time an event: the thread that joins %.1f ns without, %.1f ns with (%.1f %%); " +
            "its whole process %.1f ns without, %.1f ns with (%.1f %%)%n", without.threadNs, with.threadNs,
            100 * with.threadNs / without.threadNs, without.cpuNs, with.cpuNs, 100 * with.cpuNs / without.cpuNs);
        System.out.printf("  the process that changes the cache: %.1f %% of a processor without, %.1f %% with%n",
            100 * without.stormShare, 100 * with.stormShare);
        System.out.println("  rounds, events/s without: " + all(calm) + " with: " + all(stormy));
        threads.forEach((name, cpuNs) ->
        {
            if (cpuNs > SECONDS * ROUNDS * 2e6)
            {
                System.out.printf("  %5.1f %% of a processor: %s%n", cpuNs / (SECONDS * ROUNDS * 1e7), name);
            }
        });
    }

    /** Adds or subtracts the processor time of each thread until now. */
    private void count(final Map<String, Long> threads, final int sign)
    {
        final ThreadMXBean all = ManagementFactory.getThreadMXBean();
        for (final ThreadInfo thread : all.getThreadInfo(all.getAllThreadIds()))
        {
            if (thread != null)
            {
                threads.merge(thread.getThreadName().replaceAll("[0-9a-f]{8}-[-0-9a-f]*", ""),
                    sign * all.getThreadCpuTime(thread.getThreadId()), Long::sum);
            }
        }
    }

    /** Sends ticks as fast as they are accepted. */
    private Figures run(final double seconds)
    {
        final long cpuNs = system.getProcessCpuTime();
        final long threadNs = clock.getCurrentThreadCpuTime();
        final long stormNs = stormCpuNs();
        final long startNs = System.nanoTime();
        final long endNs = startNs + (long)(seconds * TimeUnit.SECONDS.toNanos(1));
        long events = 0;
        while (System.nanoTime() < endNs)
        {
            feed.send(symbols, (int)(events & symbols.length - 1), 1.0);
            events += EventBatch.CAPACITY;
        }
        final double elapsedNs = System.nanoTime() - startNs;
        return new Figures(events / (elapsedNs / 1e9), (system.getProcessCpuTime() - cpuNs) / (double)events,
            (clock.getCurrentThreadCpuTime() - threadNs) / (double)events, (stormCpuNs() - stormNs) / elapsedNs);
    }

    private long stormCpuNs()
    {
        return other.info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
    }

    private static Figures middle(final List<Figures> figures)
    {
        return new Figures(middle(figures, Figures::perSecond), middle(figures, Figures::cpuNs),
            middle(figures, Figures::threadNs), middle(figures, Figures::stormShare));
    }

    private static double middle(final List<Figures> figures, final ToDoubleFunction<Figures> which)
    {
        return figures.stream().mapToDouble(which).sorted().skip(figures.size() / 2).findFirst().orElseThrow();
    }

    private static List<String> all(final List<Figures> figures)
    {
        return figures.stream().map(each -> String.format("%,.0f", each.perSecond)).toList();
    }

    /**
     * Waits until the last change of each symbol has arrived; the other member has made all changes before its
     * response.
     */
    private static void checkLast(final Cache cache, final long changes)
    {
        while (true)
        {
            final Map<Object, Object> entries = cache.entries();
            boolean isThere = entries.size() == StormMember.SYMBOLS;
            for (long i = changes - StormMember.SYMBOLS; isThere && i < changes; i++)
            {
                final TupleEvent limit = (TupleEvent)entries.get(StormMember.symbol((int)(i % StormMember.SYMBOLS)));
                isThere = limit != null && limit.get("top").equals(StormMember.NEVER + i);
            }
            if (isThere)
            {
                return;
            }
            Thread.onSpinWait();
        }
    }

    private Process storm(final int ports) throws Exception
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith("--add-opens")).forEach(command::add);
        command.addAll(List.of("-XX:+UseSerialGC", "-Xmx256m", "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            StormMember.class.getName(), Integer.toString(ports), directory.toString()));
        return new ProcessBuilder(command).redirectError(directory.resolve("storm.log").toFile()).start();
    }

    private String answer(final BufferedReader answers) throws Exception
    {
        for (String line = answers.readLine(); line != null; line = answers.readLine())
        {
            if (line.startsWith("storm-member "))
            {
                return line.substring("storm-member ".length());
            }
        }
        throw new IllegalStateException("the other member has ended");
    }
}
