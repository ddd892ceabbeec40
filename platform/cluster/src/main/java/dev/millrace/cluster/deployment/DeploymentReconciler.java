package dev.millrace.cluster.deployment;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterListener;
import dev.millrace.cluster.ClusterView;
import dev.millrace.cluster.ClusterView.State;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.ReplicatedMap;
import dev.millrace.cluster.ReplicatedMap.FencedException;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.spi.LocalDeployments;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the documents of the groups that this member belongs to. One thread checks them after each change and
 * periodically.
 *
 * <p>Failure: a version that could not be deployed is retried when the member rejoins, or replaced when there is a
 * newer one. While the member is fenced it changes nothing.
 */
final class DeploymentReconciler implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(DeploymentReconciler.class);

    private static final long LOOK_MS = 5_000;
    private static final long RESTORE_MS = 120_000;
    /** How long {@link #close} waits for a running deployment. */
    private static final long END_MS = 20_000;

    private final Cluster cluster;
    private final ReplicatedMap map;
    private final LocalDeployments deployments;
    private final DesiredDeployments documents;
    private final MemberStatuses results;
    private final BundleChunks chunks;
    private final DesiredDeploymentsFile followed;
    private final DeploymentApplier local;

    private final Semaphore changes = new Semaphore(0);
    private final ClusterListener onMembers = view -> changes.release();
    private final ReplicatedMap.Listener onDocuments = (name, value) -> changes.release();
    private final Thread thread;
    /** Held during a deployment, so that {@link #close} waits for it and for nothing else. */
    private final ReentrantLock working = new ReentrantLock();
    private volatile boolean closed;

    /** Documents applied in this incarnation, by name. */
    private final Map<String, DesiredDeployment> tried = new HashMap<>();
    /** The incarnation whose documents have been published; null before. */
    private UUID stay;
    private List<DesiredDeployment> cleaned = List.of();

    /** Data shared by the members. */
    record Shared(DesiredDeployments documents, MemberStatuses results, BundleChunks chunks)
    {
    }

    DeploymentReconciler(final Cluster cluster, final ReplicatedMap map, final LocalDeployments deployments,
        final Shared shared,
        final DesiredDeploymentsFile followed)
    {
        this.cluster = cluster;
        this.map = map;
        this.deployments = deployments;
        documents = shared.documents;
        results = shared.results;
        chunks = shared.chunks;
        this.followed = followed;
        local = new DeploymentApplier(deployments, followed, chunks);
        thread = new Thread(this::run, "millrace-deployments-" + cluster.view().self().name());
        thread.setDaemon(true);
    }

    void start()
    {
        cluster.addListener(onMembers);
        map.addListener(onDocuments);
        thread.start();
    }

    private void run()
    {
        try
        {
            while (!closed && !deployments.awaitRestored(RESTORE_MS))
            {
                LOG.warn("CLU-0221 this instance takes a long time to start, deployments of its groups wait, "
                    + "limitMs={}", RESTORE_MS);
            }
            while (!closed)
            {
                look();
                if (changes.tryAcquire(LOOK_MS, TimeUnit.MILLISECONDS))
                {
                    changes.drainPermits();
                }
            }
        }
        catch (final InterruptedException e)
        {
            LOG.debug("the member stops during a deployment");
        }
    }

    private void look()
    {
        working.lock();
        try
        {
            final ClusterView view = cluster.view();
            if (view.state() == State.MEMBER && isTold(view.self()))
            {
                documents.all().forEach(each -> follow(view.self(), each));
                keepChunks(view);
            }
        }
        catch (final FencedException e)
        {
            LOG.debug("deployments wait until this member has rejoined the cluster");
        }
        catch (final RuntimeException e)
        {
            LOG.error("CLU-0214 deployments cannot be applied; retrying in {} ms", LOOK_MS, e);
        }
        finally
        {
            working.unlock();
        }
    }

    /**
     * Publishes documents that this member had before it joined.
     *
     * @return whether all of them are published
     */
    private boolean isTold(final Member self)
    {
        if (self.id().equals(stay))
        {
            return true;
        }
        tried.clear();
        for (final DesiredDeployment mine : followed.all())
        {
            final Optional<DesiredDeployment> there = documents.get(mine.name());
            if (there.isEmpty() || there.get().version() < mine.version())
            {
                share(mine);
                if (!documents.replace(there, mine))
                {
                    // Another member was faster; check the new state.
                    changes.release();
                    return false;
                }
                LOG.info("CLU-0222 an earlier deployment is published again, name={} group={} version={}", mine.name(),
                    mine.group(), mine.version());
            }
        }
        stay = self.id();
        return true;
    }

    private void follow(final Member self, final DesiredDeployment document)
    {
        final boolean isMine = self.isIn(document.group());
        final boolean isSaid = !isMine || document.deleted() || results.get(document.name(), self.name()).isPresent();
        if (closed || isSaid && document.equals(tried.get(document.name())))
        {
            if (!closed && isMine && !document.deleted())
            {
                showState(self, document);
            }
            return;
        }
        if (isMine || followed.live(document.name()).isPresent())
        {
            final MemberStatus result = isMine && !document.deleted() ? local.follow(document) : local.leave(document);
            log(document, result);
            results.put(document.name(), self.name(), result);
            if (result.isForNow())
            {
                return;
            }
        }
        tried.put(document.name(), document);
    }

    /**
     * Updates the published state of an application, which can change without a change of the document: it degrades,
     * fails, or recovers.
     */
    private void showState(final Member self, final DesiredDeployment document)
    {
        final String now = local.stateNow(document);
        results.get(document.name(), self.name()).filter(before -> before.isDone() && !now.isEmpty() &&
            before.version() == document.version() && !now.equals(before.state())).ifPresent(before ->
            results.put(document.name(), self.name(),
                new MemberStatus(before.version(), now, before.runs(), before.problems(), before.report())));
    }

    private static void log(final DesiredDeployment document, final MemberStatus result)
    {
        if (result.isDone())
        {
            LOG.info("CLU-0223 deployment of a group applied, name={} group={} version={} state={}", document.name(),
                document.group(), document.version(), result.state());
        }
        else
        {
            LOG.warn("CLU-0220 deployment of a group cannot be applied, name={} group={} version={} state={}\n{}",
                document.name(),
                document.group(), document.version(), result.state(),
                String.join("\n", result.problems().stream().map(each -> each.format()).toList()));
        }
    }

    /** Restores chunks that were lost with their last member, and removes chunks that are not needed. */
    private void keepChunks(final ClusterView view)
    {
        final List<DesiredDeployment> all = documents.all();
        all.stream().filter(each -> !each.deleted() && followed.live(each.name()).isPresent()).forEach(this::share);
        final boolean isCoordinator = view.coordinator().equals(view.self());
        if (isCoordinator && (!all.equals(cleaned) || chunks.hasUnnamed()))
        {
            chunks.clean(all);
            cleaned = all;
        }
        if (isCoordinator)
        {
            results.clean(all, view.members().stream().map(Member::name).collect(Collectors.toSet()));
        }
    }

    private void share(final DesiredDeployment document)
    {
        try
        {
            if (!document.deleted())
            {
                local.share(document);
            }
        }
        catch (final IOException | DeploymentException e)
        {
            LOG.warn("CLU-0224 the bundle of a group cannot be sent to the other members, name={} reason={}",
                document.name(),
                e.getMessage());
        }
    }

    /** Waits for a running deployment, then interrupts the thread. */
    @Override
    public void close()
    {
        closed = true;
        cluster.removeListener(onMembers);
        map.removeListener(onDocuments);
        try
        {
            if (working.tryLock(END_MS, TimeUnit.MILLISECONDS))
            {
                working.unlock();
            }
            thread.interrupt();
            thread.join(END_MS);
        }
        catch (final InterruptedException e)
        {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
