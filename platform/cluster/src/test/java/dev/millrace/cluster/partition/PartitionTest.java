package dev.millrace.cluster.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cluster.ignite.TestPorts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several members in one process with real sockets: order and completeness of partitioned rows. */
@Tag("slow")
@Timeout(120)
class PartitionTest
{
    private static final int STEPS = Integer.getInteger("steps", 14);

    @TempDir
    private Path directory;

    private final long seed = Long.getLong("seed", -687_168_275_554_524_138L);
    private final Ledger ledger = new Ledger();
    private final List<PartitionMember> members = new ArrayList<>();
    private final List<Pump> pumps = new ArrayList<>();
    private TestPorts ports;

    @BeforeEach
    void findPorts() throws Exception
    {
        ports = TestPorts.free();
    }

    @AfterEach
    void leave()
    {
        pumps.forEach(Pump::end);
        members.forEach(PartitionMember::close);
    }

    private PartitionMember member(final String name) throws Exception
    {
        final PartitionMember made = new PartitionMember(ports, directory, name);
        members.add(made);
        return made;
    }

    /** Sends from one source until it is stopped. */
    private final class Pump implements Runnable
    {
        final TestNetwork.Source source;
        final long[] sent = new long[Ledger.SYMBOLS];
        private final AtomicBoolean running = new AtomicBoolean(true);
        private final Thread thread = new Thread(this);
        private final Random random;

        Pump(final TestNetwork.Source source)
        {
            this.source = source;
            random = new Random(seed + source.number);
            thread.setDaemon(true);
            thread.start();
            pumps.add(this);
        }

        @Override
        public void run()
        {
            final int[] symbols = new int[64];
            while (running.get())
            {
                final int count = 1 + random.nextInt(symbols.length);
                for (int i = 0; i < count; i++)
                {
                    symbols[i] = random.nextInt(Ledger.SYMBOLS);
                }
                source.send(symbols, sent, count);
            }
        }

        void end()
        {
            running.set(false);
            try
            {
                thread.join(60_000);
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Runs until the given number of additional rows has been processed. */
    private void awaitRows(final long more)
    {
        final long until = ledger.rows.get() + more;
        PartitionMember.await(more + " rows, seed=" + seed, () -> ledger.rows.get() >= until);
    }

    private void awaitAll(final Pump pump)
    {
        PartitionMember.await("all rows of source " + pump.source.number + ", seed=" + seed, () ->
        {
            for (int symbol = 0; symbol < Ledger.SYMBOLS; symbol++)
            {
                if (ledger.last(pump.source.number, symbol) != pump.sent[symbol])
                {
                    return false;
                }
            }
            return true;
        });
    }

    /** Repeated rows, and rows that the members sent, received and sent again. */
    private String figures()
    {
        return "\n" + String.join("\n", ledger.repeats) + members.stream().map(each -> "\n" +
            each.settings.serverName() + ' ' + each.network.partitions()).collect(Collectors.joining());
    }

    @Test
    void shouldBringEachRowToTheOwnerOfItsPartitionInOrder() throws Exception
    {
        final PartitionMember one = member("one").run(TestNetwork.TRADE, 0, 1, ledger.sink("one"));
        final PartitionMember two = member("two").run(TestNetwork.TRADE, 1, 2, ledger.sink("two"));
        one.awaitOwners(2);
        two.awaitOwners(2);
        assertThat(one.network.partitions("owned") + two.network.partitions("owned")).isEqualTo(1024);
        final Pump first = new Pump(one.network.sources.get(0));
        final Pump second = new Pump(two.network.sources.get(0));
        final Pump third = new Pump(two.network.sources.get(1));
        awaitRows(500_000);
        pumps.forEach(Pump::end);
        awaitAll(first);
        awaitAll(second);
        awaitAll(third);
        assertThat(ledger.gaps).as("seed=" + seed).isEmpty();
        assertThat(ledger.again.get()).isZero();
        assertThat(one.network.partitions("rowsReceived")).isPositive();
        assertThat(two.network.partitions("rowsReceived")).isPositive();
    }

    @Test
    void shouldKeepOrderAndLoseNothingWhileMembersComeAndGo() throws Exception
    {
        final PartitionMember one = member("one").run(TestNetwork.TRADE, 0, 2, ledger.sink("one")).awaitOwners(1);
        final Pump first = new Pump(one.network.sources.get(0));
        final Pump second = new Pump(one.network.sources.get(1));
        awaitRows(20_000);
        final PartitionMember two = member("two").run(TestNetwork.TRADE, 2, 1, ledger.sink("two")).awaitOwners(2);
        final Pump third = new Pump(two.network.sources.get(0));
        awaitRows(50_000);
        final PartitionMember three = member("three").run(TestNetwork.TRADE, 3, 1, ledger.sink("three"));
        final Pump fourth = new Pump(three.network.sources.get(0));
        three.awaitOwners(3);
        awaitRows(50_000);
        third.end();
        two.network.network().suspend();
        one.awaitOwners(2);
        awaitRows(50_000);
        two.network.network().resume();
        two.awaitOwners(3);
        awaitRows(50_000);
        fourth.end();
        three.close();
        one.awaitOwners(2);
        awaitRows(50_000);
        first.end();
        second.end();
        pumps.forEach(this::awaitAll);
        assertThat(ledger.gaps).as("seed=" + seed).isEmpty();
        assertThat(ledger.again.get()).as(() -> "each row exactly once, seed=" + seed + figures()).isZero();
        assertThat(two.network.partitions("partitionsCameBack")).isPositive();
    }

    @Test
    void shouldGoOnAfterAMemberWasKilledAndTakeItBack() throws Exception
    {
        final PartitionMember one = member("one").run(TestNetwork.TRADE, 0, 1, ledger.sink("one"));
        final PartitionMember two = member("two").run(TestNetwork.TRADE, 1, 1, ledger.sink("two"));
        final PartitionMember three = member("three").run(TestNetwork.TRADE, 2, 1, ledger.sink("three"));
        List.of(one, two, three).forEach(each -> each.awaitOwners(3));
        final Pump first = new Pump(one.network.sources.get(0));
        final Pump second = new Pump(two.network.sources.get(0));
        awaitRows(100_000);
        three.kill();
        members.remove(three);
        one.awaitOwners(2);
        two.awaitOwners(2);
        awaitRows(100_000);
        final PartitionMember again = member("three").run(TestNetwork.TRADE, 2, 1, ledger.sink("three again"));
        again.awaitOwners(3);
        awaitRows(100_000);
        first.end();
        second.end();
        awaitAll(first);
        awaitAll(second);
        assertThat(ledger.gaps).as("seed=" + seed).isEmpty();
        assertThat(ledger.againOnOneMember.get()).as("no row twice on one member, seed=" + seed).isZero();
        assertThat(one.network.rejected("partition-lost") + two.network.rejected("partition-lost")).isZero();
        again.awaitOwners(3);
    }

    /** Members other than the first randomly join, suspend, resume, leave and die, each several times. */
    @Test
    void shouldLoseNothingWhateverMembersDo() throws Exception
    {
        final PartitionMember one = member("one").run(TestNetwork.TRADE, 0, 2, ledger.sink("one")).awaitOwners(1);
        final Pump first = new Pump(one.network.sources.get(0));
        final Pump second = new Pump(one.network.sources.get(1));
        final Random random = new Random(seed);
        final PartitionMember[] others = new PartitionMember[2];
        final boolean[] standsStill = new boolean[others.length];
        for (int step = 0; step < STEPS; step++)
        {
            final int which = random.nextInt(others.length);
            if (others[which] == null)
            {
                others[which] = member("other" + which).run(TestNetwork.TRADE, 2 + which, 1,
                    ledger.sink("other" + which + " of step " + step));
                standsStill[which] = false;
            }
            else if (random.nextInt(3) > 0)
            {
                standsStill[which] = !standsStill[which];
                if (standsStill[which])
                {
                    others[which].network.network().suspend();
                }
                else
                {
                    others[which].network.network().resume();
                }
            }
            else
            {
                members.remove(others[which]);
                if (random.nextBoolean())
                {
                    others[which].kill();
                }
                else
                {
                    others[which].close();
                }
                others[which] = null;
            }
            awaitRows(random.nextInt(20_000));
        }
        first.end();
        second.end();
        awaitAll(first);
        awaitAll(second);
        assertThat(ledger.gaps).as("seed=" + seed).isEmpty();
        assertThat(ledger.againOnOneMember.get()).as("no row twice on one member, seed=" + seed).isZero();
        assertThat(one.network.rejected("partition-lost")).isZero();
    }
}
