package dev.millrace.cluster.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cluster.ReplicatedBlobStore;
import dev.millrace.cluster.ReplicatedMap;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.spi.ApplicationSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Shared data is bounded, and unused data is removed after some time. */
@Timeout(60)
class RoomTest
{
    private static final long GRACE_NS = 120_000_000_000L;

    @TempDir
    private Path directory;

    private final AtomicLong nowNs = new AtomicLong(5);

    private static DesiredDeployment document(final String name, final DeploymentContent content, final boolean deleted)
    {
        final DesiredDeployment made =
            DesiredDeployment.first(name, "all", Optional.empty(), content, 0, new ChangeRecord("one", 0, "install"));
        return deleted ? made.asDeleted(new ChangeRecord("one", 0, "uninstall")) : made;
    }

    private static DeploymentContent content(final String sha256, final long sizeBytes)
    {
        return new DeploymentContent("file.jar", sha256, sizeBytes, ApplicationSettings.NONE);
    }

    @Test
    void shouldRefuseABundleThatHasNoRoomAndTakeItWhenOthersAreGone() throws Exception
    {
        final NamedBytes bytes = new NamedBytes();
        final BundleChunks chunks = new BundleChunks(bytes, nowNs::get, List::of);
        final DeploymentContent large = content("large", BundleChunks.MAX_BYTES - 3);
        large.chunks().forEach(chunk -> bytes.put(chunk, new byte[0]));
        final Path file = Files.write(directory.resolve("b.jar"), new byte[] {1, 2, 3, 4});
        final BundleFile bundle = BundleFile.of(file, "b.jar");

        assertThatThrownBy(() -> chunks.put("app.b", DeploymentContent.of(bundle), bundle))
            .isInstanceOf(DeploymentException.class)
            .hasMessageContaining("CLU-0206").hasMessageContaining("usedBytes=67108861 bundleBytes=4")
            .hasMessageContaining("limitBytes=67108864").hasMessageContaining("wait two minutes");
        assertThat(chunks.has(DeploymentContent.of(bundle))).isFalse();

        final List<DesiredDeployment> gone = List.of(document("app.a", large, true));
        chunks.clean(gone);
        nowNs.addAndGet(GRACE_NS);
        chunks.clean(gone);
        assertThat(bytes.names()).as("kept as long as it may be needed").isNotEmpty();
        nowNs.addAndGet(1);
        chunks.clean(gone);
        assertThat(bytes.names()).isEmpty();
        chunks.put("app.b", DeploymentContent.of(bundle), bundle);
        assertThat(chunks.has(DeploymentContent.of(bundle))).isTrue();
    }

    @Test
    void shouldKeepBundlesOfTheHistoryLongAfterTheyWereReplacedAndDropTheOldestForWantOfRoom() throws Exception
    {
        final NamedBytes bytes = new NamedBytes();
        final List<DesiredDeployment> documents = new ArrayList<>();
        final BundleChunks chunks = new BundleChunks(bytes, nowNs::get, () -> documents);
        DesiredDeployment document = document("app.a", content("v1", BundleChunks.MAX_PAST_BYTES / 2), false);
        document.content().chunks().forEach(chunk -> bytes.put(chunk, new byte[0]));
        for (int version = 2; version <= 4; version++)
        {
            final DeploymentContent next = content("v" + version, BundleChunks.MAX_PAST_BYTES / 2);
            next.chunks().forEach(chunk -> bytes.put(chunk, new byte[0]));
            document = document.with(next, new ChangeRecord("one", version, "update"));
        }
        documents.add(document);
        for (int hours = 0; hours < 3; hours++)
        {
            chunks.clean(documents);
            nowNs.addAndGet(30 * GRACE_NS);
        }
        assertThat(bundles(bytes)).as("two previous bundles fit").containsExactly("v2", "v3", "v4");

        final Path file = Files.write(directory.resolve("c.jar"), new byte[(int)(BundleChunks.MAX_PAST_BYTES / 2) + 1]);
        final BundleFile large = BundleFile.of(file, "c.jar");
        chunks.put("app.b", DeploymentContent.of(large), large);
        assertThat(bundles(bytes)).as("the oldest is removed").doesNotContain("v2").contains("v3", "v4")
            .contains(large.sha256());

        documents.set(0, document.asDeleted(new ChangeRecord("one", 9, "uninstall")));
        chunks.clean(documents);
        nowNs.addAndGet(GRACE_NS + 1);
        chunks.clean(documents);
        assertThat(bytes.names()).as("an uninstall ends the history").isEmpty();
    }

    private static Set<String> bundles(final ReplicatedBlobStore bytes)
    {
        return bytes.names().stream().map(name -> name.substring(0, name.indexOf('/')))
            .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void shouldForgetWhatWasSaidByThoseWhoHaveLeftAndOfWhatIsGone()
    {
        final NamedMap map = new NamedMap();
        final MemberStatuses results = new MemberStatuses(map, nowNs::get);
        final MemberStatus done = new MemberStatus(1, "RUNNING", 1, List.of());
        results.put("app.a", "one", done);
        results.put("app.a", "two", done);
        results.put("app.b", "one", done);
        results.put("app.gone", "one", done);
        final List<DesiredDeployment> documents = List.of(
            document("app.a", content("a", 1), false), document("app.b", content("b", 1), true));
        results.clean(documents, Set.of("one", "two"));
        results.clean(documents, Set.of("one"));
        nowNs.addAndGet(GRACE_NS + 1);
        results.clean(documents, Set.of("one", "two"));
        assertThat(map.all().keySet()).as("a member that rejoins in time keeps its result").containsExactly(
            "app.a/one", "app.a/two");
        results.clean(documents, Set.of("one"));
        nowNs.addAndGet(GRACE_NS + 1);
        results.clean(documents, Set.of("one"));
        assertThat(map.all().keySet()).containsExactly("app.a/one");
    }

    /** Names without other members. */
    private static final class NamedBytes implements ReplicatedBlobStore
    {
        private final Map<String, byte[]> values = new HashMap<>();

        @Override
        public byte[] get(final String name)
        {
            return values.get(name);
        }

        @Override
        public boolean contains(final String name)
        {
            return values.containsKey(name);
        }

        @Override
        public void put(final String name, final byte[] value)
        {
            values.put(name, value);
        }

        @Override
        public void remove(final String name)
        {
            values.remove(name);
        }

        @Override
        public Set<String> names()
        {
            return new TreeSet<>(values.keySet());
        }
    }

    /** The same as a map. */
    private static final class NamedMap implements ReplicatedMap
    {
        private final Map<String, byte[]> values = new TreeMap<>();

        @Override
        public byte[] get(final String name)
        {
            return values.get(name);
        }

        @Override
        public Map<String, byte[]> all()
        {
            return new TreeMap<>(values);
        }

        @Override
        public boolean replace(final String name, final byte[] expected, final byte[] value)
        {
            throw new UnsupportedOperationException("not used here");
        }

        @Override
        public void put(final String name, final byte[] value)
        {
            if (value == null)
            {
                values.remove(name);
            }
            else
            {
                values.put(name, value);
            }
        }

        @Override
        public void addListener(final Listener listener)
        {
            throw new UnsupportedOperationException("not used here");
        }

        @Override
        public void removeListener(final Listener listener)
        {
            throw new UnsupportedOperationException("not used here");
        }
    }
}
