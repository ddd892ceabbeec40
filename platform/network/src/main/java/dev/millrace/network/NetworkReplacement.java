package dev.millrace.network;

import dev.millrace.network.bean.BeanRuntime;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.StageDefinition;
import dev.millrace.network.lane.Deadline;
import dev.millrace.network.lane.StageRuntime;
import dev.millrace.network.lane.StageRuntime.Upstream;
import dev.millrace.network.processor.ProcessorRuntime;
import dev.millrace.network.spi.Predecessor;
import dev.millrace.network.spi.RuleChange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs the beans and rules of the next version in a running network. The network keeps its channels, the state of
 * unchanged rules, and the beans that are the same objects in both versions, with their connections.
 *
 * <pre>
 *   activate: new beans open resources ─► apply: rows wait, beans are replaced ─► end: old beans close
 *                                    └──── undo: everything is as before ────┘
 * </pre>
 *
 * <p>Rows wait where they enter the network, so adapters that stay need not be suspended, and no row is rejected. Only
 * sources that are replaced are suspended first, because both objects need the same port. Not thread-safe; the
 * network's own life-cycle methods wait during {@link #apply}.
 */
public final class NetworkReplacement
{
    private static final Logger LOG = LoggerFactory.getLogger(NetworkReplacement.class);

    private final Network network;
    private final RunningStages running;
    private final PreparedNetwork next;
    private final NetworkDifference difference;
    private final Map<String, BeanRuntime> made = new LinkedHashMap<>();
    private final List<BeanRuntime> paused = new ArrayList<>();
    private final Map<ProcessorRuntime, ProcessorStage> changed = new LinkedHashMap<>();
    private List<BeanRuntime> replaced = List.of();
    private long pausedSinceNs;
    private long pausedNs;
    /** A reason found after the comparison why the network cannot continue. */
    private String failure;

    /**
     * Compares two versions.
     *
     * @param network running or suspended
     * @param next    planned and compiled
     * @param change  by bean id, why a bean of both versions cannot continue in the next one; {@code null} when it can
     */
    public NetworkReplacement(final Network network, final PreparedNetwork next, final UnaryOperator<String> change)
    {
        this.network = network;
        running = network.running();
        this.next = next;
        difference = new NetworkDifference(running.definition(), next.definition(), change);
    }

    /**
     * Returns the reasons why the network cannot continue and has to be rebuilt.
     *
     * @return facts in words; empty when it can continue
     */
    public List<String> obstacles()
    {
        final NetworkState phase = running.phase();
        final List<String> all = new ArrayList<>(difference.obstacles());
        if (phase != NetworkState.RUNNING && phase != NetworkState.SUSPENDED ||
            network.state() == NetworkState.FAILED)
        {
            all.add("the previous version is not running, state=" + network.state());
        }
        if (failure != null)
        {
            all.add(failure);
        }
        return all;
    }

    /**
     * Describes which adapters and beans were kept and which were created again.
     *
     * @return facts in words
     */
    public List<String> notes()
    {
        final List<String> notes = new ArrayList<>();
        final List<String> beans = new ArrayList<>();
        for (final StageDefinition stage : next.definition().stages())
        {
            final String why = difference.exchanged().get(stage.id());
            if (stage instanceof BeanStage bean && bean.adapter() && !difference.added().contains(stage.id()))
            {
                notes.add("adapter " + stage.id() + (why == null ? " was kept with its connections" :
                    " was created again: its connections were closed, because " + why));
            }
            else if (why != null)
            {
                beans.add(stage.id());
            }
        }
        if (!beans.isEmpty())
        {
            notes.add("beans created again: " + String.join(", ", beans));
        }
        return notes;
    }

    /**
     * Returns the network that continues.
     *
     * @return the network of the previous version
     */
    public Network network()
    {
        return network;
    }

    /**
     * Suspends the sources that are replaced, and calls the life-cycle methods of the new beans. A bean whose port is
     * taken is called again after the previous source has released it.
     *
     * @param before closes such sources
     * @throws DeploymentException when a bean refuses; call {@link #undo} then. If there are {@link #obstacles}
     *     afterwards, the network has to be rebuilt, which the bean may accept
     */
    public void activate(final Predecessor before) throws DeploymentException
    {
        for (final StageRuntime stage : running.all())
        {
            if (isExchangedSource(stage) && running.phase() == NetworkState.RUNNING)
            {
                pause((BeanRuntime)stage);
            }
        }
        for (final StageDefinition stage : next.definition().stages())
        {
            if (difference.exchanged().containsKey(stage.id()) || difference.added().contains(stage.id()))
            {
                final BeanRuntime bean = next.builder().make((BeanStage)stage, bean(stage.id()));
                made.put(stage.id(), bean);
                activate(bean, before);
            }
        }
    }

    private void activate(final BeanRuntime bean, final Predecessor before) throws DeploymentException
    {
        try
        {
            next.builder().activate(bean, before);
        }
        finally
        {
            if (bean.lanes() != null && bean.lanes().isExceeded())
            {
                failure = "adapter " + bean.definition().id() + " requests more senders than before";
            }
        }
    }

    private boolean isExchangedSource(final StageRuntime stage)
    {
        return stage instanceof BeanRuntime bean && bean.isSource() && !bean.hasInputs() && isReplaced(bean);
    }

    private boolean isReplaced(final StageRuntime stage)
    {
        return difference.exchanged().containsKey(stage.definition().id());
    }

    /** The stage of the previous network; {@code null} if it has none of that id. */
    private BeanRuntime bean(final String id)
    {
        return (BeanRuntime)running.all().stream().filter(stage -> stage.definition().id().equals(id)).findFirst()
            .orElse(null);
    }

    private void pause(final BeanRuntime bean)
    {
        pausedSinceNs = paused.isEmpty() ? System.nanoTime() : pausedSinceNs;
        paused.add(bean);
        try
        {
            bean.pause(Deadline.afterNs(Network.DRAIN_NS));
        }
        catch (final Exception | LinkageError | AssertionError e)
        {
            LOG.warn("stage does not pause cleanly for its next version, application={} stage={}",
                running.application(), bean.definition().id(), e);
        }
    }

    /**
     * Replaces rules and beans.
     *
     * @return the outcome for each query, by processor; {@code null} when this is impossible while events flow: then
     *     call {@link #undo} and rebuild the network
     */
    public Map<String, RuleChange> apply()
    {
        synchronized (network)
        {
            final Map<String, RuleChange> changes = changeRules();
            if (changes == null)
            {
                return null;
            }
            final Deadline deadline = Deadline.afterNs(Network.DRAIN_NS);
            final long startNs = System.nanoTime();
            try
            {
                if (!hold(deadline))
                {
                    failure = "rows inside it were not processed in time";
                    return null;
                }
                exchange();
            }
            finally
            {
                running.all().forEach(StageRuntime::letGo);
                running.heartbeats().letGo();
            }
            pausedNs = System.nanoTime() - (paused.isEmpty() ? startNs : pausedSinceNs);
            return changes;
        }
    }

    /**
     * Returns how long rows waited: all rows at the entrances of the network, or the rows of a source that was
     * replaced.
     *
     * @return nanoseconds
     */
    public long pausedNs()
    {
        return pausedNs;
    }

    private Map<String, RuleChange> changeRules()
    {
        final Map<String, RuleChange> changes = new LinkedHashMap<>();
        for (final StageRuntime stage : running.all())
        {
            if (stage instanceof ProcessorRuntime processor)
            {
                final ProcessorStage before = processor.definition();
                final ProcessorStage later = (ProcessorStage)next.definition().stages().stream()
                    .filter(each -> each.id().equals(before.id())).findFirst().orElseThrow();
                try
                {
                    changes.put(before.id(), processor.change(later));
                }
                catch (final DeploymentException e)
                {
                    LOG.info("rules cannot be replaced while events flow, stage={}\n{}", before.id(), e.getMessage());
                    failure = "rules of processor " + before.id() + " cannot be replaced while events flow";
                    return null;
                }
                changed.put(processor, before);
            }
        }
        return changes;
    }

    /** Holds stages from top to bottom, so that all rows that a held stage has sent are inside the stages below it. */
    private boolean hold(final Deadline deadline)
    {
        boolean isHeld = running.heartbeats().hold(deadline);
        for (final StageRuntime stage : running.all())
        {
            if (isHeld && isReplaced(stage) && stage.isSource() && !paused.contains(stage) &&
                running.phase() == NetworkState.RUNNING)
            {
                // If the thread of the source had to end while its lanes are held, it would wait forever.
                pause((BeanRuntime)stage);
            }
            isHeld = isHeld && stage.hold(deadline);
        }
        return isHeld;
    }

    /** Called while no row is in the network. */
    private void exchange()
    {
        final List<StageRuntime> stages = new ArrayList<>();
        final List<BeanRuntime> before = new ArrayList<>();
        for (final StageRuntime stage : running.all())
        {
            final String id = stage.definition().id();
            if (stage instanceof BeanRuntime bean && (made.containsKey(id) || difference.removed().contains(id)))
            {
                before.add(bean);
                if (made.containsKey(id))
                {
                    made.get(id).takePlaceOf(bean);
                    stages.add(made.get(id));
                }
                else
                {
                    bean.leave();
                }
            }
            else
            {
                stages.add(stage);
            }
        }
        for (final String id : difference.added())
        {
            made.get(id).wire(lanesInto(id));
            stages.add(made.get(id));
        }
        replaced = before;
        network.becomes(next.definition(), stages, next.builder());
        if (running.phase() == NetworkState.RUNNING)
        {
            final List<BeanRuntime> fresh = new ArrayList<>(made.values());
            Collections.reverse(fresh);
            fresh.stream().filter(bean -> !bean.isSource()).forEach(BeanRuntime::start);
            fresh.stream().filter(BeanRuntime::isSource).forEach(BeanRuntime::start);
        }
    }

    private List<Upstream> lanesInto(final String id)
    {
        final List<Upstream> above = new ArrayList<>();
        for (final StageDefinition stage : next.definition().stages())
        {
            if (stage instanceof ChannelStage && stage.listeners().contains(id))
            {
                running.all().stream().filter(each -> each.definition().id().equals(stage.id()))
                    .flatMap(each -> each.outlets().stream()).forEach(outlet -> above.add(new Upstream(stage, outlet)));
            }
        }
        return above;
    }

    /** Closes the beans of the previous version that are not in the network any more. */
    public void end()
    {
        replaced.forEach(bean -> bean.retire(Deadline.afterNs(Network.DRAIN_NS)));
    }

    /**
     * Closes the beans that were activated and restores the previous rules.
     *
     * @param renewal recreates the sources that were closed to release their ports
     */
    public void undo(final Runnable renewal)
    {
        final List<BeanRuntime> fresh = new ArrayList<>(made.values());
        Collections.reverse(fresh);
        fresh.forEach(BeanRuntime::destroy);
        changed.forEach(this::putBack);
        renewal.run();
        paused.forEach(this::resume);
    }

    private void putBack(final ProcessorRuntime processor, final ProcessorStage before)
    {
        try
        {
            processor.change(before);
        }
        catch (final DeploymentException e)
        {
            LOG.error("rules cannot be restored, application={} processor={}", running.application(),
                before.id(), e);
        }
    }

    private void resume(final BeanRuntime bean)
    {
        try
        {
            bean.resume();
        }
        catch (final Exception | LinkageError | AssertionError e)
        {
            LOG.error("stage cannot be resumed after its next version was refused, application={} stage={}",
                running.application(), bean.definition().id(), e);
        }
    }
}
