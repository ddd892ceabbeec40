package dev.millrace.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.fixture.BundleJar;
import dev.millrace.server.fixture.LineSender;
import dev.millrace.server.fixture.RuleApp;
import dev.millrace.server.fixture.TestInstance;
import dev.millrace.server.fixture.app.GapMeter;
import dev.millrace.server.fixture.app.NextGapMeter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long rows wait for an update in a warmed-up process: the longest time between two rows at the sink, while a
 * client sends one row per millisecond. Asserts that no row is lost, and prints the times; {@code -Dupdates=20}
 * measures figures.
 */
@Tag("slow")
@Timeout(300)
class UpdatePauseTest
{
    private static final int ROUNDS = Integer.getInteger("updates", 3);

    private static final String RULES =
        RuleApp.query("every", RuleApp.EVERY) + RuleApp.query("counted", RuleApp.COUNTED);

    private static final String ODD_RULES = RuleApp.query("every", RuleApp.EVERY)
        + RuleApp.query("counted", "istream(select count(*) as number from numbers where number > -1)");

    private final AtomicLongArray cells = new AtomicLongArray(3);

    @TempDir
    private Path directory;

    private TestInstance instance;

    private int version = 1;

    /** A long-running operation. */
    private interface Work
    {
        void run() throws Exception;
    }

    @Test
    void shouldLoseNoRowInManyUpdatesAndTellTheLongestGaps() throws Exception
    {
        System.getProperties().put(GapMeter.CELLS, cells);
        instance = TestInstance.startWithRules(TestInstance.newDomain(directory));
        try
        {
            instance.install("test:provider", RuleApp.provider());
            final int port = LineSender.freePort();
            assertThat(instance.deploy(RuleApp.provided(port, RULES, GapMeter.class, "")).status()).isEqualTo(201);
            try (LineSender sender = new LineSender(port))
            {
                final List<Long> quiet = new ArrayList<>();
                final List<Long> beans = new ArrayList<>();
                final List<Long> rules = new ArrayList<>();
                for (int i = 0; i < ROUNDS; i++)
                {
                    final Class<?> sink = i % 2 == 0 ? NextGapMeter.class : GapMeter.class;
                    quiet.add(longestGapUs(this::awaitRows));
                    beans.add(longestGapUs(() -> update(RuleApp.provided(port, RULES, sink, ""))));
                    rules.add(longestGapUs(() -> update(RuleApp.provided(port, ODD_RULES, sink, ""))));
                    update(RuleApp.provided(port, RULES, sink, ""));
                }
                final long sent = sender.end();
                instance.await("all rows come, and once", () -> new RuleApp(instance).rowsIn("every") == sent);
                tell("no update", quiet);
                tell("class of a sink", beans);
                tell("a rule", rules);
            }
        }
        finally
        {
            instance.close();
            System.getProperties().remove(GapMeter.CELLS);
        }
    }

    private void update(final BundleJar bundle) throws Exception
    {
        version++;
        final TestInstance.Answer answer =
            instance.request("PUT", "/wlevs/apps/" + RuleApp.NAME, bundle.version("1." + version + ".0").bytes());
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    private long longestGapUs(final Work work) throws Exception
    {
        awaitRows();
        cells.set(2, 0);
        work.run();
        awaitRows();
        return TimeUnit.NANOSECONDS.toMicros(cells.get(2));
    }

    /** Waits for enough rows that a gap has ended. */
    private void awaitRows() throws InterruptedException
    {
        final long before = cells.get(0);
        instance.await("rows come", () -> cells.get(0) > before + 200);
    }

    private static void tell(final String what, final List<Long> gapsUs)
    {
        // The first third warms up.
        final List<Long> counted = new ArrayList<>(gapsUs.subList(gapsUs.size() / 3, gapsUs.size()));
        Collections.sort(counted);
        System.out.printf("longest gap, %s: median %d us, greatest %d us, of %d%n", what,
            counted.get(counted.size() / 2), counted.get(counted.size() - 1), counted.size());
    }
}
