package dev.millrace.cluster.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.ignite.TestPorts;
import dev.millrace.network.partition.PartitionHash;
import dev.millrace.network.spi.PartitionedChannels.Terms;
import dev.millrace.network.spi.RemoteInput;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The order in which state of partitions is removed from one member and installed in another. */
@Tag("slow")
@Timeout(120)
class HandoverTest
{
    @TempDir
    private Path directory;

    private final List<Call> calls = new CopyOnWriteArrayList<>();

    /** A call of a stage on any member. */
    private record Call(String member, String what, BitSet partitions, String state)
    {
    }

    /** A stage whose state is a string, which it hands over when it discards partitions. */
    private final class Below implements RemoteInput
    {
        private final String member;
        private volatile boolean isBusy;

        Below(final String member)
        {
            this.member = member;
        }

        @Override
        public RemoteWay open()
        {
            throw new AssertionError("no rows are sent");
        }

        @Override
        public boolean forget(final BitSet partitions, final BiConsumer<String, byte[]> to)
        {
            final String state = member + " knew " + partitions.cardinality();
            calls.add(new Call(member, "forget", (BitSet)partitions.clone(), state));
            to.accept("shop/sums", state.getBytes(StandardCharsets.UTF_8));
            return true;
        }

        @Override
        public boolean takeOver(final BitSet partitions, final String stage, final byte[] state)
        {
            if (isBusy)
            {
                isBusy = false;
                return false;
            }
            assertThat(stage).isEqualTo("shop/sums");
            calls.add(new Call(member, "takeOver", (BitSet)partitions.clone(),
                new String(state, StandardCharsets.UTF_8)));
            return true;
        }

        @Override
        public void reject(final int rows, final String reason, final String detail)
        {
            assertThat(rows).isZero();
        }
    }

    /** A member with a stage that records its calls. */
    private final class Part implements AutoCloseable
    {
        final PartitionMember member;
        final PartitionedChannelMember channel;
        final Below entrance;
        private final LinkServer links;

        Part(final TestPorts ports, final String name) throws Exception
        {
            this(ports, name, false);
        }

        Part(final TestPorts ports, final String name, final boolean isBusy) throws Exception
        {
            member = new PartitionMember(ports, directory, name);
            links = new LinkServer(member.settings);
            links.listen();
            final Terms terms = new Terms("shop", "trades",
                new BatchSchema(TestNetwork.TRADE), 1, Member.ALL_MEMBERS, false);
            entrance = new Below(name);
            entrance.isBusy = isBusy;
            channel = new PartitionedChannelMember(member.cluster, terms, entrance, links,
                new AssignmentStore(member.cluster.map(LinkServer.MAP), "shop", "trades"));
            links.add(terms, channel);
            channel.join();
        }

        void awaitOpen(final long epoch)
        {
            PartitionMember.await("epoch " + epoch, () ->
                Long.valueOf(epoch).equals(channel.statistics().get("epoch")) &&
                    Boolean.TRUE.equals(channel.statistics().get("open")));
        }

        List<String> left()
        {
            return member.cluster.map(LinkServer.MAP).all().keySet().stream().filter(key -> key.contains("/moved/"))
                .toList();
        }

        @Override
        public void close()
        {
            channel.close();
            links.close();
            member.close();
        }
    }

    private Call call(final String member, final String what)
    {
        return calls.stream().filter(call -> call.member().equals(member) && call.what().equals(what)).reduce(
            (first, second) -> second).orElseThrow();
    }

    @Test
    void shouldGiveTheNewOwnerWhatTheOldOneHasForgotten() throws Exception
    {
        final TestPorts ports = TestPorts.free();
        try (Part one = new Part(ports, "one"))
        {
            one.awaitOpen(1);
            assertThat(calls).as("there was no previous owner").isEmpty();
            try (Part two = new Part(ports, "two"))
            {
                one.awaitOpen(2);
                two.awaitOpen(2);
                final Call forgotten = call("one", "forget");
                assertThat(forgotten.partitions().cardinality()).isBetween(1, PartitionHash.PARTITIONS - 1);
                assertThat(call("two", "takeOver")).isEqualTo(
                    new Call("two", "takeOver", forgotten.partitions(), forgotten.state()));
                assertThat(calls).hasSize(2);
                assertThat(two.channel.leave(TimeUnit.SECONDS.toNanos(30))).isTrue();
                one.awaitOpen(3);
            }
            final Call back = call("two", "forget");
            assertThat(back.partitions()).isEqualTo(call("one", "forget").partitions());
            assertThat(call("one", "takeOver")).isEqualTo(
                new Call("one", "takeOver", back.partitions(), back.state()));
            assertThat(one.left()).as("states in transfer").isEmpty();
        }
    }

    @Test
    void shouldForgetAndTakeOverAgainWhatAStageCouldNotTakeAtOnce() throws Exception
    {
        final TestPorts ports = TestPorts.free();
        try (Part one = new Part(ports, "one"))
        {
            one.awaitOpen(1);
            try (Part two = new Part(ports, "two", true))
            {
                two.awaitOpen(2);
                assertThat(calls).extracting(Call::member, Call::what).containsExactly(tuple("one", "forget"),
                    tuple("two", "forget"), tuple("two", "takeOver"));
                assertThat(call("two", "takeOver").state()).isEqualTo(call("one", "forget").state());
            }
        }
    }
}
