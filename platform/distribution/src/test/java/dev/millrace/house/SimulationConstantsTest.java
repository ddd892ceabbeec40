package dev.millrace.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.command.simulation.Constant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Constants of the cluster simulation that describe the product match the product. */
@Timeout(60)
class SimulationConstantsTest
{
    private static final String CLUSTER = "platform/cluster/src/main/java/dev/millrace/cluster/";

    private static int number(final String file, final String before)
    {
        final Matcher matcher = Pattern.compile(Pattern.quote(before) + "([\\d_]+)")
            .matcher(SourceTree.read(SourceTree.root().resolve(file)));
        assertThat(matcher.find()).as("%s in %s", before, file).isTrue();
        return Integer.parseInt(matcher.group(1).replace("_", ""));
    }

    @Test
    void shouldSimulateAsManyMapsAndPartitionsAsMembersShare()
    {
        assertThat(Constant.SHARED_MAP_PARTITIONS.value())
            .isEqualTo(number(CLUSTER + "ignite/IgniteReplicatedCache.java", "int PARTITIONS = "));
        // Each part of the cluster contains the name of the map that it requests.
        final Pattern asked = Pattern.compile("cluster\\.(?:map|bytes)\\((?:\\w+\\.)?([A-Z]+)\\)");
        final long maps = SourceTree.java(CLUSTER).stream().flatMap(file -> asked.matcher(SourceTree.read(file))
            .results().map(match -> file.getParent() + " " + match.group(1))).distinct().count();
        assertThat((double)maps).isEqualTo(Constant.SHARED_MAPS.value());
    }

    @Test
    void shouldSimulateAsManyPartitionsOfAChannelAsThereAre()
    {
        final String command = "platform/command/src/main/java/dev/millrace/command/bench/SimulateBenchCommand.java";
        final String hash = "platform/network/src/main/java/dev/millrace/network/partition/PartitionHash.java";
        assertThat(number(command, "names = \"--partitions\", paramLabel = \"N\", defaultValue = \""))
            .isEqualTo(number(hash, "int PARTITIONS = "));
    }

    @Test
    void shouldSimulateTheTimeAfterWhichASilentMemberIsGivenUp()
    {
        assertThat(SourceTree.read(SourceTree.root().resolve("domains/cluster.md"))).contains(
            "| `failure-detection-millis` | " + (int)Constant.FAILURE_DETECTION_MS.value() + " |");
    }
}
