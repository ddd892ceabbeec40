package dev.millrace.network.lane;

import dev.millrace.api.event.EventType;
import dev.millrace.network.condition.CallMonitor;
import dev.millrace.network.condition.CallMonitor.OpenCall;
import dev.millrace.network.condition.Condition;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.StageDefinition;
import java.util.List;
import java.util.Map;

/**
 * A running stage. The network calls it from one managing thread at a time: first {@link #wire}, then the life cycle;
 * {@link #describe} may be called from any thread.
 */
public interface StageRuntime
{
    /**
     * A lane that comes from a stage above.
     *
     * @param outlet where the lane leaves that stage
     */
    record Upstream(StageDefinition from, Outlet outlet)
    {
    }

    StageDefinition definition();

    /**
     * The name of this kind of stage in management interfaces: {@code adapter}, {@code channel}, {@code processor},
     * {@code event-bean}, {@code cache}, {@code playback}, {@code foreign-stage} or {@code advertised}.
     */
    String kind();

    /** Counters and rejections. */
    StageMeter meter();

    /**
     * Connects the lanes of the stages above and opens the stage's own lanes down; stages above are already wired.
     *
     * @param above all lanes of stages that name this one as listener
     * @throws DeploymentException when the stage cannot work
     */
    void wire(List<Upstream> above) throws DeploymentException;

    /** The lanes down, complete after {@link #wire}. */
    List<Outlet> outlets();

    /** Observes the lanes down of a stage; called while no row is in transit. */
    interface OutletWatcher
    {
        /**
         * A lane exists or was opened.
         *
         * @param eventTypes types that its rows have in the stages below, in order; empty if no stage below takes them
         */
        void opened(Outlet outlet, List<EventType> eventTypes);

        /** A lane was closed. */
        void closed(Outlet outlet);
    }

    /**
     * Reports the lanes down: those that exist, at once, and those that are opened or closed later; called after
     * {@link #wire}, while no row is in transit.
     *
     * @param watcher replaces the one before; {@code null} for none
     */
    default void watchOutlets(final OutletWatcher watcher)
    {
        if (watcher != null)
        {
            outlets().forEach(outlet -> watcher.opened(outlet, List.of(outlet.schema().type())));
        }
    }

    /** Lets events flow through the stage; called for stages below first. */
    void start();

    /**
     * Stops generating events and waits until the events it holds are passed on; stages above are already paused.
     *
     * @param deadline how long to wait
     * @throws Exception when it cannot be paused
     */
    void pause(Deadline deadline) throws Exception;

    /**
     * Lets events flow again after {@link #pause}; called for stages below first.
     *
     * @throws Exception when it cannot resume
     */
    void resume() throws Exception;

    /**
     * Holds rows for a moment: rows from above and from the stage itself wait, after rows inside were passed on. Called
     * for stages above first; {@link #letGo} is called in any case, by the same thread.
     *
     * @param deadline how long to wait
     * @return false when a row inside was not passed on in time
     */
    default boolean hold(final Deadline deadline)
    {
        return true;
    }

    /** Ends {@link #hold}. */
    default void letGo()
    {
        // Holds nothing back.
    }

    /**
     * Ends the stage permanently after the events it holds are passed on; stages above are already stopped. Called
     * once, whether or not it was wired or started.
     *
     * @param deadline how long to wait
     */
    void stop(Deadline deadline);

    /** Why the stage does not work any more; {@code null} while it works. */
    default String failure()
    {
        return null;
    }

    /** Whether the stage generates events: true for adapters and event beans with listeners. */
    default boolean isSource()
    {
        return false;
    }

    /**
     * Conditions that keep the stage from doing its work now, except calls that do not return; usually none.
     *
     * @param nowNs time of the network's clock
     */
    default List<Condition> conditions(final long nowNs)
    {
        return meter().rejections().conditions(definition().id(), nowNs);
    }

    /**
     * Calls into the stage that have not returned for {@link CallMonitor#LIMIT_NS}; usually none.
     *
     * @param nowNs time of the network's clock
     */
    default List<OpenCall> openCalls(final long nowNs)
    {
        return List.of();
    }

    /** Releases the resources of the stage; called once, after all stages have stopped, for stages below first. */
    void destroy();

    /** Adds statistics of this kind of stage. Thread-safe. */
    void describe(Map<String, Object> figures);
}
