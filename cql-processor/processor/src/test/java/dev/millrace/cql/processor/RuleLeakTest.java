package dev.millrace.cql.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.network.definition.ProcessorStage.Rule;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thousand changes of rules leave nothing behind that grows with their number. */
@Timeout(300)
class RuleLeakTest
{
    /** Every query has one or more classes of its own. */
    private static final int CHANGES = 1_000;
    /** Classes of the JDK and of libraries that are loaded during the test. */
    private static final int FEW = 200;
    private static final int LITTLE_BYTES = 16 << 20;

    private static final List<String> KINDS = List.of(
        "select symbol, seq as n, price from ticks where price > %d.5",
        "istream(select symbol, count(*) as n, sum(price) as price from ticks [range %d seconds] group by symbol)",
        "istream(select a.symbol as symbol, b.seq as n, b.price as price from ticks [rows 3] as a, ticks [rows 1%d] " +
            "as b where a.symbol = b.symbol and a.price > b.price)",
        "select m.symbol as symbol, m.n as n, m.price as price from ticks match_recognize (partition by symbol " +
            "measures B.symbol as symbol, B.seq as n, A.price as price pattern (A B+ C) define A as A.price > %d.0, " +
            "B as B.price < prev(B.price), C as C.price > A.price) as m");

    private static Rule other(final int number)
    {
        return LiveNetwork.query("other", String.format(KINDS.get(number % KINDS.size()), number));
    }

    @Test
    void shouldLeaveNothingBehindWhenAQueryIsReplacedThousandTimes() throws Exception
    {
        try (LiveNetwork network = new LiveNetwork(1, 0).start(List.of("count"),
            LiveNetwork.query("count", "istream(select symbol, count(*) as n from ticks group by symbol)"), other(0)))
        {
            final Random random = new Random(1);
            for (int i = 1; i <= 40; i++)
            {
                replace(network, random, i);
            }
            final int classesBefore = classes();
            final long heapBefore = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            final long loadedBefore = ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount();
            for (int i = 41; i <= 40 + CHANGES; i++)
            {
                replace(network, random, i);
            }
            final long loaded = ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount() - loadedBefore;
            final int grown = classes() - classesBefore;
            final long heapGrown =
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() - heapBefore;
            System.out.println("classes loaded=" + loaded + " of which stay=" + grown + " heapGrownBytes=" + heapGrown);
            assertThat(loaded).as("each change loads classes").isGreaterThan(CHANGES);
            assertThat(grown).isLessThan(FEW);
            // The sinks of the test store the output; nothing else may grow.
            assertThat(heapGrown).isLessThan(LITTLE_BYTES);
            assertThat(network.figures("rules").toString().length()).isLessThan(20_000);
            assertThat(LiveNetwork.words(network.remove("other"))).contains("count=KEPT");
        }
    }

    private static void replace(final LiveNetwork network, final Random random, final int number) throws Exception
    {
        final List<String> words = LiveNetwork.words(network.put(other(number)));
        assertThat(words.get(0)).isEqualTo("count=KEPT");
        assertThat(words.get(1)).startsWith("other=RESTARTED");
        network.send(LiveNetwork.ticks(random, 20, number * 20L), random);
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
