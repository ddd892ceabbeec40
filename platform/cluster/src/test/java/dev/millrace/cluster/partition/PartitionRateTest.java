package dev.millrace.cluster.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cluster.ClusterSettings.Tls;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.ignite.TestKeys;
import dev.millrace.cluster.ignite.TestPorts;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Measures the rows per second that two members partition over loopback in one process: with one source on one member,
 * and when half of the rows belong to the other. The build runs it with few rows; the system property {@code rows}
 * makes it a measurement.
 */
@Tag("slow")
@Timeout(300)
class PartitionRateTest
{
    private static final int ROWS = Integer.getInteger("rows", 200_000);
    private static final int BATCH = 256;

    @TempDir
    private Path directory;

    /** With and without TLS, to measure the cost of TLS between members. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldShareRowsOut(final boolean isEncrypted) throws Exception
    {
        final Tls tls = isEncrypted ? TestKeys.make(directory.resolve("cluster.p12")) : null;
        System.out.println(isEncrypted ? "TLS:" : "plain:");
        final TestPorts ports = TestPorts.free();
        final Ledger alone = new Ledger();
        final Ledger both = new Ledger();
        try (PartitionMember one = member(ports, "one", tls))
        {
            one.run(TestNetwork.TRADE, 0, 1, batch -> alone.rows.addAndGet(batch.size())).awaitOwners(1);
            print("alone", one, alone);
            one.network.network().stop();
            try (PartitionMember two = member(ports, "two", tls))
            {
                one.run(TestNetwork.TRADE, 0, 1, batch -> both.rows.addAndGet(batch.size()));
                two.run(TestNetwork.TRADE, 1, 1, batch -> both.rows.addAndGet(batch.size())).awaitOwners(2);
                one.awaitOwners(2);
                print("two members", one, both);
                assertThat(two.network.partitions("rowsReceived")).isPositive();
            }
        }
    }

    private PartitionMember member(final TestPorts ports, final String name, final Tls tls) throws Exception
    {
        return new PartitionMember(ports.member(directory, name, Member.NO_IDENTITY, tls));
    }

    private static void print(final String what, final PartitionMember from, final Ledger to)
    {
        final int[] symbols = new int[BATCH];
        for (int i = 0; i < BATCH; i++)
        {
            symbols[i] = i % Ledger.SYMBOLS;
        }
        final long[] sent = new long[Ledger.SYMBOLS];
        long ns = 0;
        long before = 0;
        for (int round = 0; round < 3; round++)
        {
            before = to.rows.get();
            final long startNs = System.nanoTime();
            from.network.sources.get(0).send(symbols, sent, BATCH);
            for (int rows = BATCH; rows < ROWS; rows += BATCH)
            {
                from.network.sources.get(0).sendAgain();
            }
            final long until = before + (ROWS + BATCH - 1) / BATCH * BATCH;
            PartitionMember.await("all rows", () -> to.rows.get() >= until);
            ns = System.nanoTime() - startNs;
            assertThat(to.rows.get()).isEqualTo(until);
        }
        System.out.printf(Locale.ROOT, "%s: %.1f ns per row, %.2f million rows per second%n", what,
            ns / (double)(to.rows.get() - before), (to.rows.get() - before) * 1_000.0 / ns);
    }
}
