package dev.millrace.caches;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.event.TupleEvent;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An application on two members in one process that joins with a cache that both share. */
@Tag("slow")
@Timeout(120)
class SharedCacheTest
{
    private static final int CHANGES = 200;
    private static final int FIRST_CHANGES = 50;
    private static final int ROUNDS = 5;

    @TempDir
    private Path directory;

    @Test
    void shouldSeeTheChangeOfOneMemberInTheJoinOfTheOther() throws Exception
    {
        final int ports = MemberApplication.freePorts();
        try (MemberApplication one = new MemberApplication("one", ports, directory);
            MemberApplication two = new MemberApplication("two", ports, directory))
        {
            one.deploy(Limits.ASSEMBLY, Limits.CONFIGURATION);
            two.deploy(Limits.ASSEMBLY, Limits.CONFIGURATION);
            final EventType limit = one.bean("dev.millrace.assembly.eventTypes", EventTypeRepository.class)
                .eventType("Limit");
            final Limits.Desk desk = one.bean("desk", Limits.Desk.class);
            final Limits.Feed feed = two.bean("feed", Limits.Feed.class);
            final Limits.Alerts alerts = two.bean("out", Limits.Alerts.class);
            final long limitNs = 2_000_000_000L;
            int changes = 0;
            long longestNs = limitNs;
            while (longestNs >= limitNs && changes < ROUNDS * CHANGES)
            {
                longestNs = 0;
                for (int i = 1; i <= CHANGES; i++)
                {
                    changes++;
                    desk.set(new TupleEvent(limit, "AA", (double)changes));
                    final long startNs = System.nanoTime();
                    // Each tick is above every limit, so that the last alert contains the limit that the join used.
                    while (alerts.lastTop != changes)
                    {
                        feed.send("AA", 1e9);
                    }
                    longestNs = i < FIRST_CHANGES ? 0 : Math.max(longestNs, System.nanoTime() - startNs);
                }
                System.out.println("a change of a cache is seen in the join of the other member after " +
                    TimeUnit.NANOSECONDS.toMicros(longestNs) + " us at most");
            }
            assertThat(longestNs).as("the aim is 100 ms; a busy machine may pause, but not in each round")
                .isLessThan(limitNs);
            final Limits.Board board = two.bean("board", Limits.Board.class);
            while (board.shown.size() < changes)
            {
                Thread.onSpinWait();
            }
            assertThat(board.shown).extracting(event -> ((TupleEvent)event).get("top"))
                .startsWith(1.0, 2.0, 3.0).endsWith((double)changes).hasSize(changes);

            one.bean("limits", Cache.class).remove("AA");
            // The join receives the change shortly after the replica that the cache reads.
            long before = -1;
            while (alerts.count.get() != before)
            {
                before = alerts.count.get();
                feed.send("AA", 1e9);
            }
            assertThat(two.bean("limits", Cache.class).size()).isZero();
            feed.send("AA", 1e9);
            assertThat(alerts.count).hasValue(before);
        }
    }
}
