package dev.millrace.cluster.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.Dictionary;
import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ignite.TestPorts;
import dev.millrace.network.partition.PartitionHash;
import dev.millrace.network.spi.PartitionedChannels.Terms;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When state of partitions is taken out of one member and put into another. */
@Timeout(120)
class HandoverTest
{
    @TempDir
    private Path directory;

    private final List<Call> calls = new CopyOnWriteArrayList<>();

    /** Of a hand-over, on any member. */
    private record Call(String member, String what, long epoch, BitSet partitions)
    {
    }

    /** A member whose hand-over notes its calls. */
    private final class Part implements AutoCloseable
    {
        final PartitionMember member;
        final ChannelMember channel;
        private final Links links;

        Part(final TestPorts ports, final String name) throws Exception
        {
            member = new PartitionMember(ports, directory, name);
            links = new Links(member.settings);
            links.listen();
            final Terms terms = new Terms("shop", "trades",
                BatchSchema.sharing(TestNetwork.TRADE, new Dictionary("symbols")), 1, Cluster.ALL_MEMBERS, false);
            channel = new ChannelMember(member.cluster, terms, new Inside(), links, new PartitionHandover()
            {
                @Override
                public byte[] drain(final long epoch, final BitSet partitions)
                {
                    calls.add(new Call(name, "drain", epoch, (BitSet)partitions.clone()));
                    return new byte[0];
                }

                @Override
                public void takeOver(final long epoch, final BitSet partitions, final byte[] snapshot)
                {
                    calls.add(new Call(name, "takeOver", epoch, (BitSet)partitions.clone()));
                }
            });
            links.add(terms, channel);
            channel.join();
        }

        void awaitOpen(final long epoch)
        {
            PartitionMember.await("epoch " + epoch, () ->
                Long.valueOf(epoch).equals(channel.statistics().get("epoch")) &&
                    Boolean.TRUE.equals(channel.statistics().get("open")));
        }

        @Override
        public void close()
        {
            channel.close();
            links.close();
            member.close();
        }
    }

    private void assertCall(final int index, final String member, final String what, final long epoch)
    {
        assertThat(calls.get(index)).as("call " + index).extracting(Call::member, Call::what, Call::epoch)
            .containsExactly(member, what, epoch);
    }

    @Test
    void shouldTakeStateOutOfTheOldOwnerBeforeItIsPutIntoTheNewOne() throws Exception
    {
        final TestPorts ports = TestPorts.free();
        try (Part one = new Part(ports, "one"))
        {
            one.awaitOpen(1);
            try (Part two = new Part(ports, "two"))
            {
                one.awaitOpen(2);
                two.awaitOpen(2);
                assertThat(two.channel.leave(TimeUnit.SECONDS.toNanos(30))).isTrue();
                one.awaitOpen(3);
            }
            assertThat(calls).hasSize(5);
        }
        assertCall(0, "one", "takeOver", 1);
        assertCall(1, "one", "drain", 2);
        assertCall(2, "two", "takeOver", 2);
        assertCall(3, "two", "drain", 3);
        assertCall(4, "one", "takeOver", 3);
        assertThat(calls.get(0).partitions().cardinality()).isEqualTo(PartitionHash.PARTITIONS);
        final BitSet moved = calls.get(1).partitions();
        assertThat(moved.cardinality()).isBetween(1, PartitionHash.PARTITIONS - 1);
        assertThat(calls.subList(2, 5)).extracting(Call::partitions).containsOnly(moved);
    }
}
