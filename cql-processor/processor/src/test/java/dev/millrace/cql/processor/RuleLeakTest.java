package dev.millrace.cql.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.network.definition.ProcessorStage.Rule;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thousand changes of rules leave nothing behind that grows with their number. */
@Tag("slow")
@Timeout(300)
class RuleLeakTest
{
    private static final int CHANGES = 1_000;
    /** More than the binary logarithm of the number of changes. */
    private static final int COMPARISONS = 11;
    /** Classes of the JDK and of libraries that are loaded during the test. */
    private static final int FEW = 200;
    private static final int LITTLE_BYTES = 16 << 20;

    private static final List<String> KINDS = List.of(
        "select symbol, seq as n, price from ticks where price > %1$d.5 and (%2$s)",
        "istream(select symbol, count(*) as n, sum(price) as price from ticks [range %1$d seconds] where %2$s " +
            "group by symbol)",
        "istream(select a.symbol as symbol, b.seq as n, b.price as price from ticks [rows 3] as a, ticks " +
            "[rows 1%1$d] as b where a.symbol = b.symbol and a.price > b.price and (%4$s))",
        "select m.symbol as symbol, m.n as n, m.price as price from ticks match_recognize (partition by symbol " +
            "measures B.symbol as symbol, B.seq as n, A.price as price pattern (A B+ C) define A as A.price > " +
            "%1$d.0, B as B.price < prev(B.price), C as C.price > A.price and (%3$s)) as m");

    /** Queries of one kind differ only in literals. */
    private static Rule sameShape(final int number)
    {
        return other(number, 0);
    }

    /** No two queries have the same operators. */
    private static Rule otherShape(final int number)
    {
        return other(number, number);
    }

    private static Rule other(final int number, final int shape)
    {
        return LiveNetwork.query("other", String.format(KINDS.get(number % KINDS.size()), number,
            comparisons("price", shape), comparisons("C.price", shape), comparisons("b.price", shape)));
    }

    /** A condition with an operator for each bit of a number. */
    private static String comparisons(final String column, final int bits)
    {
        return IntStream.range(0, COMPARISONS).mapToObj(bit -> column + ((bits >> bit & 1) == 0 ? " > " : " < ") + bit)
            .collect(Collectors.joining(" or "));
    }

    @Test
    void shouldLeaveNothingBehindWhenAQueryIsReplacedThousandTimes() throws Exception
    {
        assertThat(loadedBy(RuleLeakTest::otherShape)).as("each change loads classes").isGreaterThan(CHANGES);
    }

    @Test
    void shouldUseTheSameClassesWhenReplacementsDifferOnlyInLiterals() throws Exception
    {
        assertThat(loadedBy(RuleLeakTest::sameShape)).isLessThan(FEW);
    }

    /** Replaces a query many times, and returns the number of classes that this has loaded. */
    private static long loadedBy(final IntFunction<Rule> query) throws Exception
    {
        try (LiveNetwork network = new LiveNetwork(1, 0).start(List.of("count"),
            LiveNetwork.query("count", "istream(select symbol, count(*) as n from ticks group by symbol)"),
            query.apply(0)))
        {
            final Random random = new Random(1);
            for (int i = 1; i <= 40; i++)
            {
                replace(network, query, random, i);
            }
            final int classesBefore = classes();
            final long heapBefore = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            final long loadedBefore = ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount();
            for (int i = 41; i <= 40 + CHANGES; i++)
            {
                replace(network, query, random, i);
            }
            final long loaded = ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount() - loadedBefore;
            final int grown = classes() - classesBefore;
            final long heapGrown = usedHeapBytes(heapBefore + LITTLE_BYTES) - heapBefore;
            System.out.println("classes loaded=" + loaded + " of which stay=" + grown + " heapGrownBytes=" + heapGrown);
            assertThat(grown).isLessThan(FEW);
            // The sinks of the test store the output; nothing else may grow.
            assertThat(heapGrown).as(() -> "bytes by class:\n" + histogram()).isLessThan(LITTLE_BYTES);
            assertThat(network.figures("rules").toString().length()).isLessThan(20_000);
            assertThat(LiveNetwork.words(network.remove("other"))).contains("count=KEPT");
            return loaded;
        }
    }

    private static void replace(final LiveNetwork network, final IntFunction<Rule> query, final Random random,
        final int number) throws Exception
    {
        final List<String> words = LiveNetwork.words(network.put(query.apply(number)));
        assertThat(words.get(0)).isEqualTo("count=KEPT");
        assertThat(words.get(1)).startsWith("other=RESTARTED");
        network.send(LiveNetwork.ticks(random, 20, number * 20L), random);
    }

    /** Collects until the heap is small enough, for a limited time: cleaners and other threads also keep objects. */
    private static long usedHeapBytes(final long enough) throws InterruptedException
    {
        long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        for (int i = 0; i < 50 && used >= enough; i++)
        {
            TimeUnit.MILLISECONDS.sleep(100);
            System.gc();
            used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        }
        return used;
    }

    /** The classes that use most of the heap, by the diagnostic command of the JVM. */
    private static String histogram()
    {
        try
        {
            final String all = (String) ManagementFactory.getPlatformMBeanServer().invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
                new Object[] {new String[0]}, new String[] {String[].class.getName()});
            return all.lines().limit(25).collect(Collectors.joining("\n"));
        }
        catch (final JMException e)
        {
            throw new IllegalStateException(e);
        }
    }

    /** Loaded classes after several collections: one unloads class loaders, the next their classes. */
    private static int classes()
    {
        for (int i = 0; i < 3; i++)
        {
            System.gc();
        }
        return ManagementFactory.getClassLoadingMXBean().getLoadedClassCount();
    }
}
