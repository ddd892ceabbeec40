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
 * Puts beans and rules of the next version into a network that keeps its channels, the state of rules that stay the
 * same, and the beans that are the same objects in both versions, with their connections.
 *
 * <pre>
 *   activate: beans open what they need ─► apply: rows wait, beans change places ─► end: beans of before close
 *                                    └──── undo: all is as before ────┘
 * </pre>
 *
 * <p>Rows wait where they enter the network, so that adapters that stay need not be suspended, and none is rejected.
 * Only sources in whose place another one comes are suspended first, since both want the port. Not thread-safe; the
 * network's own life-cycle methods wait meanwhile.
 */
public final class NetworkExchange
{
    private static final Logger LOG = LoggerFactory.getLogger(NetworkExchange.class);

    private final Network network;
    private final PreparedNetwork next;
    private final NetworkDifference difference;
    private final Map<String, BeanRuntime> made = new LinkedHashMap<>();
    private final List<BeanRuntime> paused = new ArrayList<>();
    private final Map<ProcessorRuntime, ProcessorStage> changed = new LinkedHashMap<>();
    private List<BeanRuntime> replaced = List.of();
    private long pausedSinceNs;
    private long pausedNs;
    /** Why the network cannot continue, found out on the way. */
    private String failure;

    /**
     * Compares two versions.
     *
     * @param network runs or is suspended
     * @param next    planned and compiled
     * @param change  why a bean of both versions, by its id, cannot continue in the next one; {@code null} when it can
     */
    public NetworkExchange(final Network network, final PreparedNetwork next, final UnaryOperator<String> change)
    {
        this.network = network;
        this.next = next;
        difference = new NetworkDifference(network.definition(), next.definition(), change);
    }

    /**
     * Why the network cannot continue, so that it has to be rebuilt.
     *
     * @return facts in words; empty when it can
     */
    public List<String> obstacles()
    {
        final NetworkState phase = network.phase();
        final List<String> all = new ArrayList<>(difference.obstacles());
        if (phase != NetworkState.RUNNING && phase != NetworkState.SUSPENDED ||
            network.state() == NetworkState.FAILED)
        {
            all.add("the version before does not run, state=" + network.state());
        }
        if (failure != null)
        {
            all.add(failure);
        }
        return all;
    }

    /**
     * What becomes of adapters and beans.
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
                    " was made anew: its connections were cut, because " + why));
            }
            else if (why != null)
            {
                beans.add(stage.id());
            }
        }
        if (!beans.isEmpty())
        {
            notes.add("beans made anew: " + String.join(", ", beans));
        }
        return notes;
    }

    /**
     * The network that continues.
     *
     * @return the one of the version before
     */
    public Network network()
    {
        return network;
    }

    /**
     * Suspends the sources that are exchanged, and makes the call-backs of the beans that come. A bean that finds its
     * port taken is called again when the source before has given it up.
     *
     * @param before closes such sources
     * @throws DeploymentException when a bean refuses; {@link #undo} is to be called. When there are {@link
     *     #obstacles} now, the network has to be rebuilt, which the bean may accept
     */
    public void activate(final Predecessor before) throws DeploymentException
    {
        for (final StageRuntime stage : network.stages())
        {
            if (isExchangedSource(stage) && network.phase() == NetworkState.RUNNING)
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
                failure = "adapter " + bean.definition().id() + " asks for more senders than before";
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

    /** The stage of the network before; {@code null} if the network lacks it. */
    private BeanRuntime bean(final String id)
    {
        return (BeanRuntime)network.stages().stream().filter(stage -> stage.definition().id().equals(id)).findFirst()
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
                network.definition().applicationName(), bean.definition().id(), e);
        }
    }

    /**
     * Exchanges rules and beans.
     *
     * @return what became of the queries, by processor; {@code null} when that does not go while events flow: {@link
     *     #undo} is to be called, and the network has to be rebuilt
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
                    failure = "rows inside it did not get out in time";
                    return null;
                }
                exchange();
            }
            finally
            {
                network.stages().forEach(StageRuntime::letGo);
                network.heartbeats().letGo();
            }
            pausedNs = System.nanoTime() - (paused.isEmpty() ? startNs : pausedSinceNs);
            return changes;
        }
    }

    /**
     * How long rows waited: all of them where they enter the network, or those of a source in whose place another one
     * came.
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
        for (final StageRuntime stage : network.stages())
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
                    LOG.info("rules cannot be exchanged while events flow, stage={}\n{}", before.id(), e.getMessage());
                    failure = "rules of processor " + before.id() + " cannot be exchanged while events flow";
                    return null;
                }
                changed.put(processor, before);
            }
        }
        return changes;
    }

    /** From above, so that what a stage has let go is inside the next one. */
    private boolean hold(final Deadline deadline)
    {
        boolean isHeld = network.heartbeats().hold(deadline);
        for (final StageRuntime stage : network.stages())
        {
            if (isHeld && isReplaced(stage) && stage.isSource() && !paused.contains(stage) &&
                network.phase() == NetworkState.RUNNING)
            {
                // Its own thread would wait for ever when it is told to end while its lanes are held.
                pause((BeanRuntime)stage);
            }
            isHeld = isHeld && stage.hold(deadline);
        }
        return isHeld;
    }

    /** No row is in the network now. */
    private void exchange()
    {
        final List<StageRuntime> stages = new ArrayList<>();
        final List<BeanRuntime> before = new ArrayList<>();
        for (final StageRuntime stage : network.stages())
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
        if (network.phase() == NetworkState.RUNNING)
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
                network.stages().stream().filter(each -> each.definition().id().equals(stage.id()))
                    .flatMap(each -> each.outlets().stream()).forEach(outlet -> above.add(new Upstream(stage, outlet)));
            }
        }
        return above;
    }

    /** Closes the beans of the version before that are not in the network any more. */
    public void end()
    {
        replaced.forEach(bean -> bean.retire(Deadline.afterNs(Network.DRAIN_NS)));
    }

    /**
     * Closes the beans that were activated and puts the rules of before back.
     *
     * @param renewal makes the sources anew that were closed for their ports
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
            LOG.error("rules cannot be put back, application={} processor={}", network.definition().applicationName(),
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
            LOG.error("stage does not go on after a refused version, application={} stage={}",
                network.definition().applicationName(), bean.definition().id(), e);
        }
    }
}
