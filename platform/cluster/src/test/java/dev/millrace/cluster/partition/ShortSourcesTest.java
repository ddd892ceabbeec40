package dev.millrace.cluster.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.ignite.TestPorts;
import dev.millrace.network.spi.PartitionedChannel;
import dev.millrace.network.spi.PartitionedChannels.Terms;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Short-lived sources of rows with timestamps: receivers wait only for the times of open sources. */
@Tag("slow")
@Timeout(120)
class ShortSourcesTest
{
    private static final int SOURCES = 5_000;
    private static final int SYMBOLS = 64;

    @TempDir
    private Path directory;

    private final List<Part> parts = new ArrayList<>();
    private TestPorts ports;

    /** A member of the channel. */
    private static final class Part
    {
        final Inside inside = new Inside();
        final AtomicLong here = new AtomicLong();
        final PartitionMember member;
        final PartitionedChannel channel;
        private long time;
        private final BatchSchema schema = new BatchSchema(TestNetwork.TRADE);

        Part(final PartitionMember member)
        {
            this.member = member;
            channel = member.partitions.open(new Terms("shop", "trades", schema, 1, Member.ALL_MEMBERS, true), inside);
            channel.join();
        }

        PartitionedChannel.Way openWay()
        {
            return channel.openWay(rows -> here.addAndGet(rows.size()));
        }

        /** Sends a row of each symbol. */
        void send(final PartitionedChannel.Way way)
        {
            way.accept(rows());
        }

        EventBatch rows()
        {
            final EventBatch batch = new EventBatch(schema);
            final long[] times = batch.useTimestampPerRow();
            time++;
            for (int i = 0; i < SYMBOLS; i++)
            {
                batch.ints(0)[i] = 0;
                batch.texts(1).set(i, "S" + i);
                batch.longs(2)[i] = time;
                times[i] = time;
            }
            batch.size(SYMBOLS);
            return batch;
        }

        /** Waits until the channel has completed the given number of scans, including all earlier changes. */
        void awaitLooks(final int count)
        {
            final AtomicInteger looks = new AtomicInteger();
            member.staged.look = view ->
            {
                looks.incrementAndGet();
                return view;
            };
            PartitionMember.await(count + " scans", () -> looks.get() > count);
            member.staged.look = UnaryOperator.identity();
        }

        void awaitOwners(final int count)
        {
            PartitionMember.await(member.settings.serverName() + " among " + count, () ->
                channel.statistics().get("members") instanceof List<?> owners && owners.size() == count &&
                    Boolean.TRUE.equals(channel.statistics().get("open")));
        }
    }

    @BeforeEach
    void findPorts() throws Exception
    {
        ports = TestPorts.free();
    }

    @AfterEach
    void leave()
    {
        parts.forEach(part -> part.inside.gate.countDown());
        parts.forEach(part -> part.member.close());
    }

    private List<Part> parts(final String... names) throws Exception
    {
        for (final String name : names)
        {
            parts.add(new Part(new PartitionMember(ports, directory, name)));
        }
        parts.forEach(part -> part.awaitOwners(names.length));
        return parts;
    }

    private long come()
    {
        return parts.stream().mapToLong(part -> part.here.get() + part.inside.rows.get()).sum();
    }

    private void assertNothingRejected()
    {
        assertThat(parts).allSatisfy(part -> assertThat(part.inside.rejected).isEmpty());
    }

    @Test
    void shouldEndEachOfManyShortSourcesAtTheOtherMembers() throws Exception
    {
        final Part one = parts("one", "two").get(0);
        final Part two = parts.get(1);
        for (int i = 0; i < SOURCES; i++)
        {
            final PartitionedChannel.Way way = one.openWay();
            one.send(way);
            way.close();
            if (i % 1000 == 500)
            {
                two.member.partitions.cutConnections();
            }
        }
        PartitionMember.await("all rows", () -> come() == (long)SOURCES * SYMBOLS);
        PartitionMember.await("the end of all sources", () -> two.inside.open.get() == 0);
        assertThat(two.inside.opened.get()).isEqualTo(SOURCES);
        assertNothingRejected();
    }

    @Test
    void shouldEndTheSourcesOfAMemberThatDies() throws Exception
    {
        final Part one = parts("one", "two").get(0);
        final Part two = parts.get(1);
        for (int i = 0; i < 3; i++)
        {
            one.send(one.openWay());
        }
        PartitionMember.await("all rows", () -> come() == 3L * SYMBOLS);
        assertThat(two.inside.open.get()).isEqualTo(3);
        one.member.kill();
        PartitionMember.await("the end of all sources", () -> two.inside.open.get() == 0);
    }

    @Test
    void shouldEndAClosedSourceWhoseRowsGoElsewhereWhenTheirOwnerDies() throws Exception
    {
        final Part one = parts("one", "two", "three").get(0);
        final Part two = parts.get(1);
        final Part three = parts.get(2);
        two.inside.gate = new CountDownLatch(1);
        final PartitionedChannel.Way way = one.openWay();
        one.send(way);
        way.close();
        PartitionMember.await("the end of the sources on the receiver", () ->
            three.inside.opened.get() == 1 && three.inside.open.get() == 0);
        PartitionMember.await("rows on the member that dies", () -> two.inside.opened.get() == 1);
        assertThat(come()).isLessThan(SYMBOLS);
        two.member.kill();
        PartitionMember.await("all rows", () -> come() == SYMBOLS);
        PartitionMember.await("the end of all sources", () ->
            three.inside.open.get() == 0 && one.inside.open.get() == 0);
        assertThat(three.inside.opened.get()).as("it received rows of the dead member").isEqualTo(2);
        assertThat(one.inside.rows.get()).as("rows of the dead member that it owns now").isPositive();
        assertNothingRejected();
    }

    @Test
    void shouldEndASourceThatIsClosedWhileItWaitsBehindItsRows() throws Exception
    {
        final Part one = parts("one", "two").get(0);
        final Part two = parts.get(1);
        final PartitionedChannel.Way closed = one.openWay();
        one.send(closed);
        PartitionMember.await("rows of the source that will be closed", () -> come() == SYMBOLS);
        two.inside.gate = new CountDownLatch(1);
        final PartitionedChannel.Way full = one.openWay();
        final int many = 1000;
        sending(() ->
        {
            for (int i = 0; i < many; i++)
            {
                one.send(full);
            }
        });
        final EventBatch last = one.rows();
        final Thread waiting = sending(() -> closed.accept(last));
        closed.close();
        one.awaitLooks(2);
        assertThat(waiting.isAlive()).isTrue();
        two.inside.gate.countDown();
        PartitionMember.await("all rows", () -> come() == (many + 2L) * SYMBOLS);
        full.close();
        PartitionMember.await("the end of both sources", () -> two.inside.open.get() == 0);
        assertThat(two.inside.opened.get()).as("its rows arrived before its end").isEqualTo(2);
        assertNothingRejected();
    }

    /** A source whose link is full. */
    private static Thread sending(final Runnable work)
    {
        final Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
        PartitionMember.await("the source waits", () -> thread.getState() == Thread.State.TIMED_WAITING);
        return thread;
    }

    @Test
    void shouldKeepPartitionsUntilTheLastRowsOfADeadMemberAreThrough() throws Exception
    {
        final Part one = parts("one", "two").get(0);
        final Part two = parts.get(1);
        two.inside.gate = new CountDownLatch(1);
        one.send(one.openWay());
        PartitionMember.await("rows on the other member", () -> two.inside.opened.get() == 1);
        one.member.kill();
        parts.remove(one);
        two.awaitOwners(1);
        final Part three = new Part(new PartitionMember(ports, directory, "three"));
        parts.add(three);
        PartitionMember.await("owners without the dead member", () ->
            parts.stream().allMatch(part -> List.of("three", "two").equals(part.channel.statistics().get("members"))));
        two.awaitLooks(5);
        three.awaitLooks(5);
        assertThat(three.channel.statistics()).containsEntry("open", false).containsEntry("owned", 0);
        assertThat(two.inside.forgotten.get()).as("rows that arrive now would create state").isZero();
        two.inside.gate.countDown();
        parts.forEach(part -> part.awaitOwners(2));
        PartitionMember.await("the end of the source of the dead member", () -> two.inside.open.get() == 0);
        assertThat(two.inside.rows.get()).isPositive();
        assertThat(two.inside.forgotten.get()).isEqualTo(three.channel.statistics().get("owned"));
        assertNothingRejected();
    }

    @Test
    void shouldRejectRowsOfMoreSourcesThanItKeepsApartAndGoOn() throws Exception
    {
        final Part one = parts("one", "two").get(0);
        final Part two = parts.get(1);
        final int beyond = 3;
        final List<PartitionedChannel.Way> ways = new ArrayList<>();
        for (int i = 0; i < InboundLink.MAX_WAYS + beyond; i++)
        {
            ways.add(one.openWay());
            one.send(ways.get(i));
        }
        final long all = (long)ways.size() * SYMBOLS;
        PartitionMember.await("all rows, or their rejection", () ->
            come() + two.inside.rejected.getOrDefault("too-many-sources", 0) == all);
        final long ofTwo = SYMBOLS - one.here.get() / ways.size();
        assertThat(two.inside.rejected).containsExactly(Map.entry("too-many-sources", (int)(beyond * ofTwo)));
        ways.forEach(PartitionedChannel.Way::close);
        PartitionMember.await("the end of all sources", () -> two.inside.open.get() == 0);
        final long before = come();
        one.send(one.openWay());
        PartitionMember.await("rows of a new source", () -> come() == before + SYMBOLS);
    }
}
