package dev.millrace.caches;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventBatchSource;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cost per row of a flow on a partitioned channel, compared with the same flow on a channel of one member. All members
 * run in this process, so that its processor time includes both sides. By default a short run that checks that each row
 * is counted; for figures run {@code -Dtest=SharedFlowRateTest -Dmillrace.flow.rows=2000000}.
 */
@Tag("slow")
@Timeout(240)
class SharedFlowRateTest
{
    private static final int ROWS = Integer.getInteger("millrace.flow.rows", 20_000) / EventBatch.CAPACITY *
        EventBatch.CAPACITY;
    private static final int ROUNDS = 5;
    private static final int SYMBOLS = 1470;
    /** How often the symbols of a batch are sent, so that the cost of their selection is negligible. */
    private static final int REPEATS = 16;
    private static final String ASSEMBLY = """
        <beans xmlns="http://www.springframework.org/schema/beans" xmlns:wlevs="http://www.bea.com/ns/wlevs/spring">
          <wlevs:event-type-repository>
            <wlevs:event-type type-name="Trade"><wlevs:properties>
              <wlevs:property name="symbol" type="char"/><wlevs:property name="price" type="double"/>
            </wlevs:properties></wlevs:event-type>
            <wlevs:event-type type-name="Known"><wlevs:properties>
              <wlevs:property name="symbol" type="char"/><wlevs:property name="n" type="bigint"/>
              <wlevs:property name="top" type="double"/>
            </wlevs:properties></wlevs:event-type>
          </wlevs:event-type-repository>
          <wlevs:adapter id="feed" class="dev.millrace.caches.SharedFlowRateTest$Feed"/>
          <wlevs:channel id="trades" event-type="Trade" source="feed" listeners="rules" SHARED/>
          <wlevs:processor id="rules" listeners="known"/>
          <wlevs:channel id="known" event-type="Known" listeners="out"/>
          <bean id="out" class="dev.millrace.caches.SharedFlowRateTest$Count"/>
        </beans>
        """;
    private static final String CONFIGURATION = """
        <c:config xmlns:c="http://www.bea.com/ns/wlevs/config/application">
          <processor><name>rules</name><rules>
            <query id="g">IStream(select symbol, count(*) as n, sum(price) as top from trades WINDOW group by symbol)
            </query>
          </rules></processor>
        </c:config>
        """;

    @TempDir
    private Path directory;

    private final OperatingSystemMXBean system = (OperatingSystemMXBean)ManagementFactory.getOperatingSystemMXBean();

    /** Sends rows of all symbols. */
    public static final class Feed implements EventBatchSource
    {
        private final SplittableRandom random = new SplittableRandom(42);
        private EventBatchSender sender;
        private EventBatch batch;
        private double price;

        @Override
        public void setBatchSender(final EventBatchSender given)
        {
            sender = given;
            batch = new EventBatch(given.schema());
        }

        void send()
        {
            batch.clear();
            for (int i = 0; i < EventBatch.CAPACITY; i++)
            {
                batch.texts(0).set(i, "S" + random.nextInt(SYMBOLS));
            }
            for (int i = 0; i < REPEATS; i++)
            {
                for (int row = 0; row < EventBatch.CAPACITY; row++)
                {
                    // Prices rise, so that each row changes the sum of its symbol.
                    batch.doubles(1)[row] = ++price;
                }
                batch.size(EventBatch.CAPACITY);
                sender.send(batch);
            }
        }
    }

    /** Counts rows. */
    public static final class Count implements EventBatchSink
    {
        private final AtomicLong rows = new AtomicLong();

        @Override
        public void onBatch(final EventBatch batch)
        {
            rows.addAndGet(batch.size());
        }
    }

    private void measure(final String what, final String window, final String shared, final String... names)
        throws Exception
    {
        final int ports = MemberApplication.freePorts();
        final MemberApplication[] members = new MemberApplication[names.length];
        try
        {
            for (int i = 0; i < names.length; i++)
            {
                members[i] = new MemberApplication(names[i], ports, directory.resolve(what));
                members[i].deploy(ASSEMBLY.replace("SHARED", shared), CONFIGURATION.replace("WINDOW", window));
            }
            final double[] elapsedNs = new double[ROUNDS];
            final double[] cpuNs = new double[ROUNDS];
            for (int round = -ROUNDS; round < ROUNDS; round++)
            {
                final long before = rows(members);
                final long startCpuNs = system.getProcessCpuTime();
                final long startNs = System.nanoTime();
                int sent = 0;
                while (sent < ROWS)
                {
                    members[0].bean("feed", Feed.class).send();
                    sent += REPEATS * EventBatch.CAPACITY;
                }
                final long wanted = before + sent;
                while (rows(members) < wanted)
                {
                    assertThat(System.nanoTime() - startNs).as(what).isLessThan(TimeUnit.SECONDS.toNanos(60));
                    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50));
                }
                assertThat(rows(members)).as(what).isEqualTo(wanted);
                elapsedNs[Math.max(round, 0)] = (System.nanoTime() - startNs) / (double)sent;
                cpuNs[Math.max(round, 0)] = (system.getProcessCpuTime() - startCpuNs) / (double)sent;
            }
            System.out.printf(Locale.ROOT, "%s: %.1f ns a row of processor time (%s), %.1f ns elapsed%n", what,
                middle(cpuNs), Arrays.toString(Arrays.stream(cpuNs).mapToLong(Math::round).toArray()),
                middle(elapsedNs));
        }
        finally
        {
            for (final MemberApplication each : members)
            {
                if (each != null)
                {
                    each.close();
                }
            }
        }
    }

    private static long rows(final MemberApplication[] members)
    {
        long rows = 0;
        for (final MemberApplication each : members)
        {
            rows += each.bean("out", Count.class).rows.get();
        }
        return rows;
    }

    private static double middle(final double[] figures)
    {
        final double[] sorted = figures.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    @Test
    void shouldCountEachRowOnAChannelOfOneMemberAndOnOneThatMembersShare() throws Exception
    {
        for (final String window : new String[] {"", "[partition by symbol rows 4]"})
        {
            System.out.println("sums by symbol " + window);
            measure("a channel of one member", window, "", "one");
            measure("a shared channel, one member", window, "partition-by=\"symbol\"", "one");
            measure("a shared channel, two members", window, "partition-by=\"symbol\"", "one", "two");
        }
    }
}
