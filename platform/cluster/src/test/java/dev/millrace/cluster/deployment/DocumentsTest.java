package dev.millrace.cluster.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.SharedMap;
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
class DocumentsTest
{
    @TempDir
    private Path directory;

    private static Document document(final String member, final long timeMs)
    {
        return Document.first("app", Cluster.ALL_MEMBERS, Optional.empty(),
            new Content("app.jar", "", 0, ApplicationSettings.NONE), 0,
            new Change(member, timeMs, "install app.jar"));
    }

    @Test
    void shouldKnowItsOwnChangeWhenTheMemberThatDecidedDiedOnTheWay() throws Exception
    {
        try (Cluster cluster = IgniteCluster.join(TestPorts.free().member(directory, "one")))
        {
            final Documents documents = new Documents(dying(cluster.map("documents")));
            final Document first = document("one", 1);
            assertThat(documents.replace(Optional.empty(), first)).isTrue();
            assertThat(documents.get("app")).contains(first);
            final Document next = first.withSuspended(true, new Change("one", 2, "suspend"));
            assertThat(documents.replace(Optional.of(first), next)).isTrue();
            assertThat(documents.get("app")).contains(next);
        }
    }

    @Test
    void shouldLeaveTheChangeOfAnotherMemberThatWasFaster() throws Exception
    {
        try (Cluster cluster = IgniteCluster.join(TestPorts.free().member(directory, "one")))
        {
            final Documents documents = new Documents(cluster.map("documents"));
            final Document first = document("one", 1);
            assertThat(documents.replace(Optional.empty(), first)).isTrue();
            assertThat(documents.replace(Optional.empty(), document("two", 1))).isFalse();
            assertThat(documents.replace(Optional.empty(), document("one", 2))).isFalse();
            assertThat(documents.get("app")).contains(first);
        }
    }

    /** Applies each change twice, as when the member that applied it died before it could answer. */
    private static SharedMap dying(final SharedMap real)
    {
        return (SharedMap)Proxy.newProxyInstance(SharedMap.class.getClassLoader(), new Class<?>[] {SharedMap.class},
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
