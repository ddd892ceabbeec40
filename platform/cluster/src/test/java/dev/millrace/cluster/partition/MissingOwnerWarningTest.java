package dev.millrace.cluster.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.cluster.ClusterView;
import dev.millrace.cluster.Member;
import dev.millrace.network.spi.PartitionedChannels.Terms;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Channels whose partitions have no owner. */
@Timeout(60)
class MissingOwnerWarningTest
{
    private static final long START_NS = Long.MAX_VALUE - 7;

    private final Member one = new Member(UUID.randomUUID(), "one", 1, 1, "127.0.0.1", Set.of("strategy"));
    private final Member two = new Member(UUID.randomUUID(), "two", 2, 2, "127.0.0.1", Set.of("audit"));
    private final ClusterView view = new ClusterView(1, ClusterView.State.MEMBER, one, List.of(one, two));
    private final List<String> words = new ArrayList<>();
    private long nowNs = START_NS;
    private final MissingOwnerWarning watch = new MissingOwnerWarning(new Terms("shop", "trades",
        new BatchSchema(TestNetwork.TRADE), 1, "stragety", false), () -> nowNs,
        words::add);

    private void look(final long afterNs, final boolean hasOwners)
    {
        nowNs += afterNs;
        watch.look(hasOwners, view);
    }

    @Test
    void shouldSayOnceInAWhileThatNobodyOwnsAnything()
    {
        look(0, false);
        look(MissingOwnerWarning.FIRST_NS - 1, false);
        assertThat(words).as("members may start at the same time").isEmpty();
        look(1, false);
        assertThat(words).singleElement().asString().contains("CLU-0414", "channel=shop/trades",
            "partition-group=stragety", "members=[one, two]", "groups=[audit, strategy]", "correct partition-group");
        look(MissingOwnerWarning.LATER_NS - 1, false);
        assertThat(words).hasSize(1);
        look(1, false);
        assertThat(words).hasSize(2);
    }

    @Test
    void shouldSayNothingWhileThereAreOwners()
    {
        look(0, false);
        look(MissingOwnerWarning.FIRST_NS - 1, true);
        look(MissingOwnerWarning.LATER_NS, true);
        look(1, false);
        look(MissingOwnerWarning.FIRST_NS - 1, false);
        assertThat(words).isEmpty();
        look(1, false);
        assertThat(words).hasSize(1);
    }
}
