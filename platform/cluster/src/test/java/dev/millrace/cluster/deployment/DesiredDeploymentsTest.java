package dev.millrace.cluster.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.ReplicatedMap;
import dev.millrace.cluster.ignite.IgniteCluster;
import dev.millrace.cluster.ignite.TestPorts;
import dev.millrace.server.spi.ApplicationSettings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Documents of which several members create the next version at the same time. */
@Timeout(60)
class DesiredDeploymentsTest
{
    @TempDir
    private Path directory;

    private static DesiredDeployment document(final String member, final long timeMs)
    {
        return DesiredDeployment.first("app", Member.ALL_MEMBERS, Optional.empty(),
            new DeploymentContent("app.jar", "", 0, ApplicationSettings.NONE), 0,
            new ChangeRecord(member, timeMs, "install app.jar"));
    }

    @Test
    void shouldKnowItsOwnChangeWhenTheMemberThatDecidedDiedOnTheWay() throws Exception
    {
        try (Cluster cluster = IgniteCluster.join(TestPorts.free().member(directory, "one")))
        {
            final DesiredDeployments documents = new DesiredDeployments(dying(cluster.map("documents")));
            final DesiredDeployment first = document("one", 1);
            assertThat(documents.replace(Optional.empty(), first)).isTrue();
            assertThat(documents.get("app")).contains(first);
            final DesiredDeployment next = first.withSuspended(true, new ChangeRecord("one", 2, "suspend"));
            assertThat(documents.replace(Optional.of(first), next)).isTrue();
            assertThat(documents.get("app")).contains(next);
        }
    }

    @Test
    void shouldLeaveTheChangeOfAnotherMemberThatWasFaster() throws Exception
    {
        try (Cluster cluster = IgniteCluster.join(TestPorts.free().member(directory, "one")))
        {
            final DesiredDeployments documents = new DesiredDeployments(cluster.map("documents"));
            final DesiredDeployment first = document("one", 1);
            assertThat(documents.replace(Optional.empty(), first)).isTrue();
            assertThat(documents.replace(Optional.empty(), document("two", 1))).isFalse();
            assertThat(documents.replace(Optional.empty(), document("one", 2))).isFalse();
            assertThat(documents.get("app")).contains(first);
        }
    }

    /** Applies each change twice, as when the member that applied it died before it could answer. */
    private static ReplicatedMap dying(final ReplicatedMap real)
    {
        return (ReplicatedMap)Proxy.newProxyInstance(ReplicatedMap.class.getClassLoader(),
            new Class<?>[] {ReplicatedMap.class},
            (proxy, method, given) ->
            {
                try
                {
                    if (method.getName().equals("replace"))
                    {
                        method.invoke(real, given);
                    }
                    return method.invoke(real, given);
                }
                catch (final InvocationTargetException e)
                {
                    throw e.getCause();
                }
            });
    }
}
