package dev.millrace.network;

import dev.millrace.network.bean.BeanRuntime;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.lane.StageRuntime;
import dev.millrace.network.spi.Predecessor;
import dev.millrace.network.topology.NetworkErrorCode;
import java.util.List;
import java.util.Set;

/**
 * The sources of a network: adapters that send events, and those that are closed so that the next version of the
 * application can open the same resources. Methods may be called from any thread.
 */
public final class NetworkSources
{
    /** Held while the network changes. */
    private final Object lock;
    private final RunningStages running;

    NetworkSources(final Object lock, final RunningStages running)
    {
        this.lock = lock;
        this.running = running;
    }

    /**
     * Returns the adapters that send events.
     *
     * @return ids, each after those upstream of it
     */
    public List<String> ids()
    {
        return running.all().stream().filter(stage -> stage instanceof BeanRuntime bean &&
            bean.definition().adapter() && !bean.definition().listeners().isEmpty())
            .map(stage -> stage.definition().id()).toList();
    }

    /**
     * Closes paused sources whose resources the next version needs, see {@link Predecessor}. {@link #renew} must be
     * called for each of them before it can be resumed.
     *
     * @param stageId a source of the next version
     * @param next    ids of all stages of the next version
     * @return the ids of the sources that this call closed
     */
    public List<String> release(final String stageId, final Set<String> next)
    {
        synchronized (lock)
        {
            return running.all().stream().filter(stage -> stage instanceof BeanRuntime bean &&
                (bean.definition().id().equals(stageId) || !next.contains(bean.definition().id())) && bean.release())
                .map(stage -> stage.definition().id()).toList();
        }
    }

    /**
     * Replaces the object of a source that was closed.
     *
     * @param stageId  the source
     * @param instance created in the same way as the previous object
     * @throws DeploymentException when the object refuses to start; the stage then counts as failed
     */
    public void renew(final String stageId, final Object instance) throws DeploymentException
    {
        synchronized (lock)
        {
            for (final StageRuntime stage : running.all())
            {
                if (stage instanceof BeanRuntime bean && bean.definition().id().equals(stageId))
                {
                    try
                    {
                        bean.renew(instance);
                    }
                    catch (final Exception | LinkageError | AssertionError e)
                    {
                        throw new DeploymentException(List.of(new Problem(NetworkErrorCode.CALL_BACK,
                            stage.definition().position(),
                            "stage refused to start, stage=" + stageId + " reason=" + e,
                            "correct what it needs and update the application", "")), e);
                    }
                }
            }
        }
    }
}
