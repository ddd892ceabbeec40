package dev.millrace.network.lane;

import dev.millrace.network.condition.CallWatch;
import dev.millrace.network.condition.CallWatch.OpenCall;
import dev.millrace.network.condition.Condition;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.StageDefinition;
import java.util.List;
import java.util.Map;

/**
 * A stage that runs. The network calls it from one managing thread at a time: first {@link #wire}, then the life cycle;
 * {@link #describe} comes from any thread.
 */
public interface StageRuntime
{
    /**
     * A lane that comes from a stage above.
     *
     * @param from   the stage above
     * @param outlet where its lane leaves it
     */
    record Upstream(StageDefinition from, Outlet outlet)
    {
    }

    /**
     * What the stage was made of.
     *
     * @return definition
     */
    StageDefinition definition();

    /**
     * What management calls this sort of stage.
     *
     * @return {@code adapter}, {@code channel}, {@code processor} or {@code event-bean}
     */
    String kind();

    /**
     * Counters and rejections.
     *
     * @return figures
     */
    StageMeter meter();

    /**
     * Lets the lanes of the stages above in and opens its own lanes down; stages above are wired already.
     *
     * @param above all lanes of stages that name this one as listener
     * @throws DeploymentException when the stage cannot work
     */
    void wire(List<Upstream> above) throws DeploymentException;

    /**
     * The lanes down.
     *
     * @return outlets, complete after {@link #wire}
     */
    List<Outlet> outlets();

    /** Lets events flow through the stage; called for stages below first. */
    void start();

    /**
     * Ends what the stage sends of itself and waits until what it holds has gone on; stages above are paused already.
     *
     * @param deadline how long to wait
     * @throws Exception when it cannot be paused
     */
    void pause(Deadline deadline) throws Exception;

    /**
     * Lets events flow again after {@link #pause}; called for stages below first.
     *
     * @throws Exception when it cannot go on
     */
    void resume() throws Exception;

    /**
     * Holds rows back for a moment: what comes from above or from the stage itself waits, what is inside goes on first.
     * Called for stages above first; {@link #letGo} is called in any case, by the same thread.
     *
     * @param deadline how long to wait
     * @return false when something inside did not go on in time
     */
    default boolean hold(final Deadline deadline)
    {
        return true;
    }

    /** Ends {@link #hold}. */
    default void letGo()
    {
        // Holds nothing back of itself.
    }

    /**
     * Ends the stage for good after what it holds has gone on; stages above are stopped already. Called once, whether
     * or not it was wired or started.
     *
     * @param deadline how long to wait
     */
    void stop(Deadline deadline);

    /**
     * Why the stage does not work any more.
     *
     * @return reason, or {@code null} while it works
     */
    default String failure()
    {
        return null;
    }

    /**
     * Whether the stage sends events of itself.
     *
     * @return true for adapters and event beans with listeners
     */
    default boolean isSource()
    {
        return false;
    }

    /**
     * What keeps the stage from doing its work now, apart from calls that do not return.
     *
     * @param nowNs time of the network's clock
     * @return conditions, mostly none
     */
    default List<Condition> conditions(final long nowNs)
    {
        return meter().rejections().conditions(definition().id(), nowNs);
    }

    /**
     * Calls into the stage that have not returned for {@link CallWatch#LIMIT_NS}.
     *
     * @param nowNs time of the network's clock
     * @return calls, mostly none
     */
    default List<OpenCall> openCalls(final long nowNs)
    {
        return List.of();
    }

    /** Gives back what the stage holds; called once, after all stages have stopped, for stages below first. */
    void destroy();

    /**
     * Adds figures of this sort of stage.
     *
     * @param figures to add to
     */
    void describe(Map<String, Object> figures);
}
