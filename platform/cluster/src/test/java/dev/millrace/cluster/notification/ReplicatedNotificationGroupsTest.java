package dev.millrace.cluster.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.NotificationGroup;
import dev.millrace.cluster.NotificationGroup.Change;
import dev.millrace.cluster.ignite.IgniteCluster;
import dev.millrace.cluster.ignite.TestPorts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Groups that members create at run time; real members in one process. */
@Tag("slow")
@Timeout(180)
class ReplicatedNotificationGroupsTest
{
    @TempDir
    private Path directory;

    private final List<TestMember> members = new ArrayList<>();
    private final BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
    private TestPorts ports;

    /** A member with its groups. */
    private final class TestMember implements AutoCloseable
    {
        private final Cluster cluster;
        private final ReplicatedNotificationGroups groups;

        TestMember(final String name, final int identity) throws Exception
        {
            cluster = IgniteCluster.join(ports.member(directory, name, identity, null));
            groups = new ReplicatedNotificationGroups(cluster);
            members.add(this);
        }

        @Override
        public void close()
        {
            groups.close();
            cluster.close();
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
        members.forEach(TestMember::close);
    }

    private static String names(final List<Member> some)
    {
        return String.join(",", some.stream().map(Member::name).toList());
    }

    private Change await(final String members) throws InterruptedException
    {
        Change change = changes.poll(60, TimeUnit.SECONDS);
        while (change != null && !names(change.members()).equals(members))
        {
            change = changes.poll(60, TimeUnit.SECONDS);
        }
        assertThat(change).as("a change to " + members).isNotNull();
        return change;
    }

    @Test
    void shouldTellWhoEntersAndLeavesInOneOrderForAll() throws Exception
    {
        final TestMember one = new TestMember("one", 1);
        final TestMember two = new TestMember("two", 2);
        final NotificationGroup ofTwo = two.groups.join("desk");
        ofTwo.addListener(changes::add);
        assertThat(await("two").entered()).extracting(Member::name).containsExactly("two");
        final NotificationGroup ofOne = one.groups.join("desk");
        final Change second = await("two,one");
        assertThat(second.group()).isEqualTo("desk");
        assertThat(names(second.entered())).isEqualTo("one");
        assertThat(second.left()).isEmpty();
        assertThat(names(ofOne.members())).as("the first to join is first, whatever the identities").isEqualTo(
            "two,one");
        one.groups.join("other");
        ofOne.close();
        assertThat(names(await("two").left())).isEqualTo("one");
        one.groups.join("desk");
        await("two,one");
        ofTwo.close();
        final NotificationGroup again = two.groups.join("desk");
        again.addListener(changes::add);
        await("one,two");
    }

    @Test
    void shouldLetThoseLeaveWhoDie() throws Exception
    {
        final TestMember one = new TestMember("one", 1);
        final TestMember two = new TestMember("two", 2);
        two.groups.join("desk");
        final NotificationGroup group = one.groups.join("desk");
        group.addListener(changes::add);
        await("two,one");
        two.cluster.close();
        assertThat(names(await("one").left())).isEqualTo("two");
        final TestMember back = new TestMember("two", 2);
        back.groups.join("desk");
        await("one,two");
        assertThat(one.cluster.map("notification-groups").all().keySet()).as("no entry of the dead member is left")
            .hasSize(3);
    }

    @Test
    void shouldBeInAGroupOnceUntilAllWhoAskedHaveLeft() throws Exception
    {
        final TestMember one = new TestMember("one", 1);
        final NotificationGroup first = one.groups.join("desk");
        final NotificationGroup second = one.groups.join("desk");
        assertThat(names(second.members())).isEqualTo("one");
        first.close();
        first.close();
        assertThat(names(second.members())).isEqualTo("one");
        second.close();
        assertThat(second.members()).isEmpty();
        assertThatThrownBy(() -> one.groups.join("a/b")).hasMessageContaining("not a valid group name, name=a/b");
    }
}
