package dev.millrace.cluster.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.NotificationGroup.Change;
import dev.millrace.cluster.ignite.IgniteCluster;
import dev.millrace.cluster.ignite.TestPorts;
import dev.millrace.cluster.notification.ReplicatedNotificationGroups;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The bean that joins notification groups for groups of the server. */
@Tag("slow")
@Timeout(180)
class ActiveActiveGroupBeanTest
{
    @TempDir
    private Path directory;

    private TestPorts ports;

    @BeforeEach
    void findPorts() throws Exception
    {
        ports = TestPorts.free();
    }

    private Cluster join(final String name, final String... groups) throws Exception
    {
        return IgniteCluster.join(ports.member(directory, name, groups));
    }

    private static ActiveActiveGroupBean bean(final Cluster cluster, final ReplicatedNotificationGroups groups)
    {
        final ActiveActiveGroupBean bean = new ActiveActiveGroupBean();
        bean.use(cluster, groups);
        return bean;
    }

    @Test
    void shouldMakeGroupsOfThoseThatFitAndTellWhoIsThere() throws Exception
    {
        try (Cluster one = join("one", "ActiveActiveGroupBean_group1", "ActiveActiveGroupBean_group2", "risk");
            Cluster two = join("two", "ActiveActiveGroupBean_group2");
            ReplicatedNotificationGroups ofOne = new ReplicatedNotificationGroups(one);
            ReplicatedNotificationGroups ofTwo = new ReplicatedNotificationGroups(two))
        {
            final BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
            final ActiveActiveGroupBean first = bean(one, ofOne);
            first.afterPropertiesSet();
            assertThat(first.getGroups()).containsOnlyKeys(
                "ActiveActiveGroupBean_group1", "ActiveActiveGroupBean_group2");
            final ActiveActiveGroupBean second = bean(two, ofTwo);
            second.setListeners(List.of(changes::add));
            second.afterPropertiesSet();
            assertThat(second.getGroups()).containsOnlyKeys("ActiveActiveGroupBean_group2");
            assertThat(first.isPrimary("ActiveActiveGroupBean_group2")).isTrue();
            assertThat(second.isPrimary("ActiveActiveGroupBean_group2")).isFalse();
            assertThat(second.isPrimary("ActiveActiveGroupBean_group1")).isFalse();
            first.destroy();
            Change change = changes.poll(60, TimeUnit.SECONDS);
            while (change != null && change.members().size() != 1)
            {
                change = changes.poll(60, TimeUnit.SECONDS);
            }
            assertThat(change).isNotNull();
            assertThat(second.isPrimary("ActiveActiveGroupBean_group2")).isTrue();
            second.destroy();
        }
    }

    @Test
    void shouldFollowItsOwnPattern() throws Exception
    {
        try (Cluster one = join("one", "desk_a", "ActiveActiveGroupBean_group1"); ReplicatedNotificationGroups groups =
            new ReplicatedNotificationGroups(one))
        {
            final ActiveActiveGroupBean bean = bean(one, groups);
            bean.setGroupPattern("desk_\\w+");
            bean.afterPropertiesSet();
            assertThat(bean.getGroups()).containsOnlyKeys("desk_a");
            bean.destroy();
            assertThat(bean.getGroups()).isEmpty();
            bean.setGroupPattern("desk_(");
            assertThatThrownBy(bean::afterPropertiesSet).hasMessageContaining("groupPattern=desk_(");
        }
    }

    @Test
    void shouldMakeNoGroupsOnAnInstanceThatIsAlone()
    {
        final ActiveActiveGroupBean bean = new ActiveActiveGroupBean();
        bean.afterPropertiesSet();
        assertThat(bean.getGroups()).isEmpty();
        assertThat(bean.isPrimary("ActiveActiveGroupBean_group1")).isFalse();
    }
}
