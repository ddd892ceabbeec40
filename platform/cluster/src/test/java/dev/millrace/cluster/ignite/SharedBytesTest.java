package dev.millrace.cluster.ignite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ReplicatedBlobStore;
import dev.millrace.cluster.ReplicatedMap.FencedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Large values shared by two members in one process. */
@Tag("slow")
@Timeout(120)
class SharedBytesTest
{
    private static final int CHUNK_BYTES = 1 << 20;

    @TempDir
    private Path directory;

    private final List<Cluster> members = new ArrayList<>();

    @AfterEach
    void leave()
    {
        members.forEach(Cluster::close);
    }

    private Cluster join(final String name, final TestPorts ports) throws Exception
    {
        return IgniteCluster.join(ports.member(directory, name));
    }

    private static byte[] chunk(final int content)
    {
        final byte[] chunk = new byte[CHUNK_BYTES];
        Arrays.fill(chunk, (byte)content);
        return chunk;
    }

    @Test
    void shouldHaveRoomForAllThatIsAllowedAndGiveItToALateMember() throws Exception
    {
        final TestPorts ports = TestPorts.free();
        final int count = (int)(ReplicatedBlobStore.MAX_TOTAL_BYTES / CHUNK_BYTES);
        final Cluster first = join("one", ports);
        members.add(first);
        final ReplicatedBlobStore one = first.bytes("chunks");
        for (int i = 0; i < count; i++)
        {
            one.put("c" + i, chunk(i));
        }
        final Cluster second = join("two", ports);
        members.add(second);
        final ReplicatedBlobStore two = second.bytes("chunks");
        assertThat(two.names()).as("values in this process as soon as it has joined").hasSize(count);
        assertThat(two.get("c" + (count - 1))).isEqualTo(chunk(count - 1));
        two.remove("c0");
        assertThat(one.contains("c0")).isFalse();
        assertThat(one.get("c0")).isNull();
        assertThat(one.names()).hasSize(count - 1).doesNotContain("c0");
        first.close();
        assertThat(two.get("c1")).isEqualTo(chunk(1));
        assertThatThrownBy(() -> one.get("c1")).isInstanceOf(FencedException.class);
    }
}
