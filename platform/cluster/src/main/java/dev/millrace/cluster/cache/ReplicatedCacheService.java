package dev.millrace.cluster.cache;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterListener;
import dev.millrace.cluster.Mailbox;
import dev.millrace.cluster.ReplicatedMap.FencedException;
import dev.millrace.cluster.cache.CacheCommand.Change;
import dev.millrace.cluster.cache.CacheCommand.Kind;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replicated caches in this process: the thread for {@link Replication}, and blocking calls for other threads.
 *
 * <p>Thread-safe. Queues are bounded: local changes wait for capacity, each member has one message of requests in
 * flight per turn, and a member that falls behind gets a snapshot later.
 */
final class ReplicatedCacheService implements AutoCloseable
{
    /** Maximum time that a change waits for the cluster. */
    static final long WAIT_NS = TimeUnit.SECONDS.toNanos(30);

    private static final Logger LOG = LoggerFactory.getLogger(ReplicatedCacheService.class);
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Interval between checks of the rate limit. */
    private static final long PACE_NS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final int MAX_TURN = 1024;
    private static final int MAX_WAITING_COMMANDS = 4096;
    private static final long CLOSE_MS = 5_000;

    private final Cluster cluster;
    private final Mailbox mailbox;
    private final LongSupplier clockNs;
    private final Replication replication;
    private final BlockingQueue<Runnable> inbox = new LinkedBlockingQueue<>();
    private final Semaphore room = new Semaphore(MAX_WAITING_COMMANDS);
    private final ClusterListener views;
    private final Thread thread;
    private volatile boolean isClosed;

    ReplicatedCacheService(final Cluster cluster, final LongSupplier clockNs)
    {
        this.cluster = cluster;
        this.clockNs = clockNs;
        replication = new Replication(new Link(), clockNs);
        mailbox = cluster.mailbox("caches", (from, message) -> inbox.add(() -> replication.message(from, message)));
        views = view -> inbox.add(() -> replication.view(view));
        thread = new Thread(this::run, "millrace-caches-" + cluster.view().self().name());
        thread.setDaemon(true);
        // After this, a caller that asks for a cache finds this member in the cluster.
        inbox.add(() -> replication.view(cluster.view()));
        thread.start();
        cluster.addListener(views);
    }

    /** The cluster as seen by replication. */
    private final class Link implements ReplicationLink
    {
        @Override
        public void send(final UUID member, final byte[] message)
        {
            if (!mailbox.send(member, message))
            {
                LOG.debug("a message about caches was not sent, member={}", member);
            }
        }

        @Override
        public boolean mayLead()
        {
            return cluster.holdsLease();
        }
    }

    private void run()
    {
        long tickedNs = clockNs.getAsLong();
        boolean waits = false;
        try
        {
            while (!isClosed)
            {
                Runnable next = inbox.poll(waits ? PACE_NS : TICK_NS, TimeUnit.NANOSECONDS);
                for (int i = 0; next != null; i++)
                {
                    attempt(next);
                    next = i < MAX_TURN ? inbox.poll() : null;
                }
                final long nowNs = clockNs.getAsLong();
                if (nowNs - tickedNs >= TICK_NS)
                {
                    tickedNs = nowNs;
                    attempt(replication::tick);
                }
                waits = flushes();
            }
        }
        catch (final InterruptedException closed)
        {
            Thread.currentThread().interrupt();
        }
        finally
        {
            attempt(replication::close);
            for (Runnable next = inbox.poll(); next != null; next = inbox.poll())
            {
                attempt(next);
            }
        }
    }

    private boolean flushes()
    {
        final boolean[] waits = new boolean[1];
        attempt(() -> waits[0] = replication.flush());
        return waits[0];
    }

    private static void attempt(final Runnable work)
    {
        try
        {
            work.run();
        }
        catch (final RuntimeException | LinkageError | AssertionError e)
        {
            LOG.error("CLU-0306 a step of cache replication failed; other steps are not affected", e);
        }
    }

    /** Whether the caller is the thread that applies changes, and must therefore not wait for one. */
    boolean isOwnThread()
    {
        return Thread.currentThread() == thread;
    }

    /** Whether this member may change shared data. */
    boolean isMember()
    {
        return !isClosed && cluster.holdsLease();
    }

    String member()
    {
        return cluster.view().self().name();
    }

    /** The name of a member whose id an answer contains. */
    String memberName(final String id)
    {
        return cluster.view().members().stream().filter(member -> member.id().toString().equals(id))
            .map(member -> member.name()).findFirst().orElse(id);
    }

    /** Starts to use a cache. The observer is called by the cache thread, first with the existing entries. */
    CommandResult attach(final String name, final CacheDefinition definition, final Replica.Observer observer)
    {
        if (isOwnThread())
        {
            throw new IllegalStateException("a listener of a cache cannot be the first to use another one, cache=" +
                name);
        }
        final CompletableFuture<CommandResult> result = new CompletableFuture<>();
        submit(() ->
        {
            final MemberCacheState local = replication.local(name);
            final CacheDefinition used = local.usedAs();
            if (used != null && !used.shape().equals(definition.shape()))
            {
                result.complete(CommandResult.refused(used.shape()));
                return;
            }
            local.use(definition);
            final CompletableFuture<CommandResult> attached = new CompletableFuture<>();
            attached.whenComplete((answer, failure) ->
            {
                if (failure != null)
                {
                    local.leave();
                    result.completeExceptionally(failure);
                    return;
                }
                if (answer.isDone())
                {
                    local.replica().observe(observer);
                }
                else
                {
                    local.leave();
                }
                result.complete(answer);
            });
            replication.submit(local, Kind.ATTACH, List.of(), attached);
        }, result);
        return await(name, result);
    }

    /** Ends the use of a cache. Does not wait. */
    void detach(final String name, final Replica.Observer observer)
    {
        inbox.add(() ->
        {
            final MemberCacheState local = replication.local(name);
            local.replica().forget(observer);
            if (local.leave())
            {
                replication.submit(local, Kind.DETACH, List.of(), new CompletableFuture<>());
            }
        });
    }

    /** Submits a command; waits for capacity, but not for the answer. */
    CompletableFuture<CommandResult> command(final String name, final Kind kind, final List<Change> changes)
    {
        final CompletableFuture<CommandResult> answer = new CompletableFuture<>();
        if (!isMember())
        {
            throw new FencedException(member());
        }
        takeRoom(name);
        answer.whenComplete((done, failure) -> room.release());
        submit(() -> replication.submit(replication.local(name), kind, changes, answer), answer);
        return answer;
    }

    private void takeRoom(final String name)
    {
        try
        {
            if (!room.tryAcquire(isOwnThread() ? 0 : WAIT_NS, TimeUnit.NANOSECONDS))
            {
                throw new IllegalStateException("CLU-0303 too many changes wait for the cluster, cache=" + name +
                    " waiting=" + MAX_WAITING_COMMANDS + "; the change was not made, try again later");
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted, the change was not made, cache=" + name, e);
        }
    }

    private void submit(final Runnable work, final CompletableFuture<CommandResult> answer)
    {
        inbox.add(work);
        if (isClosed)
        {
            answer.completeExceptionally(new FencedException(member()));
        }
    }

    /** Waits for an answer. */
    CommandResult await(final String name, final CompletableFuture<CommandResult> answer)
    {
        try
        {
            return answer.get(WAIT_NS, TimeUnit.NANOSECONDS);
        }
        catch (final ExecutionException e)
        {
            throw e.getCause() instanceof FencedException ? new FencedException(member()) :
                new IllegalStateException(e.getCause());
        }
        catch (final TimeoutException e)
        {
            throw new IllegalStateException("CLU-0303 the cluster does not respond, cache=" + name + " seconds=" +
                TimeUnit.NANOSECONDS.toSeconds(WAIT_NS) + "; the change may still be made", e);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted, the change may still be made, cache=" + name, e);
        }
    }

    @Override
    public void close()
    {
        cluster.removeListener(views);
        isClosed = true;
        inbox.add(() ->
        {
        });
        try
        {
            thread.join(CLOSE_MS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }
}
