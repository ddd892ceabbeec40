package dev.millrace.cluster.deployment;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterListener;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.ReplicatedMap;
import dev.millrace.server.spi.GroupDeployments.Answer;
import dev.millrace.server.spi.GroupDeployments.GroupAnswer;
import dev.millrace.server.spi.GroupDeployments.MemberAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Collects the results of a change from the members of a group. Thread-safe. */
final class GroupResponses
{
    private final Cluster cluster;
    private final ReplicatedMap map;
    private final MemberStatuses results;
    private final long limitNs;
    private final LongSupplier clockNs;

    GroupResponses(final Cluster cluster, final ReplicatedMap map, final MemberStatuses results, final long limitNs,
        final LongSupplier clockNs)
    {
        this.cluster = cluster;
        this.map = map;
        this.results = results;
        this.limitNs = limitNs;
        this.clockNs = clockNs;
    }

    /** Names of the current members of a group. */
    Set<String> names(final String group)
    {
        final Set<String> names = new TreeSet<>();
        cluster.view().group(group).stream().map(Member::name).forEach(names::add);
        return names;
    }

    /**
     * Waits until all members of the group have answered. An application with a longer start limit extends the wait.
     *
     * @param asked members of the group when the change was made
     */
    GroupAnswer await(final DesiredDeployment document, final Set<String> asked) throws InterruptedException
    {
        final Semaphore changes = new Semaphore(0);
        final ClusterListener onMembers = view -> changes.release();
        final ReplicatedMap.Listener onResults = (name, value) -> changes.release();
        cluster.addListener(onMembers);
        map.addListener(onResults);
        try
        {
            long leftNs = limitNs + document.startNs();
            final long deadlineNs = clockNs.getAsLong() + leftNs;
            GroupAnswer answer = answer(document, asked);
            while (leftNs > 0 && answer.members().stream().anyMatch(each -> each.answer() == Answer.NONE))
            {
                if (changes.tryAcquire(leftNs, TimeUnit.NANOSECONDS))
                {
                    changes.drainPermits();
                }
                answer = answer(document, asked);
                leftNs = deadlineNs - clockNs.getAsLong();
            }
            return answer;
        }
        finally
        {
            cluster.removeListener(onMembers);
            map.removeListener(onResults);
        }
    }

    /** Current progress of the current members; does not wait. */
    GroupAnswer now(final DesiredDeployment document)
    {
        return answer(document, Set.of());
    }

    private GroupAnswer answer(final DesiredDeployment document, final Set<String> asked)
    {
        final Set<String> now = names(document.group());
        final Set<String> all = new TreeSet<>(asked);
        all.addAll(now);
        final List<MemberAnswer> members = new ArrayList<>();
        all.forEach(name -> members.add(answer(document, name, now.contains(name))));
        return new GroupAnswer(document.name(), document.group(), document.version(), members, "");
    }

    private MemberAnswer answer(final DesiredDeployment document, final String member, final boolean isThere)
    {
        final Optional<MemberStatus> result =
            results.get(document.name(), member).filter(each -> each.version() >= document.version());
        if (result.isPresent())
        {
            return new MemberAnswer(member, result.get().isDone() ? Answer.DONE : Answer.FAILED, result.get().state(),
                result.get().runs(), result.get().problems(), result.get().report());
        }
        return new MemberAnswer(member, isThere ? Answer.NONE : Answer.GONE, "", 0, List.of(), List.of());
    }
}
