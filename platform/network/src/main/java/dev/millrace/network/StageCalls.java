package dev.millrace.network;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.lane.StageRuntime;
import dev.millrace.network.topology.NetworkErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls of stages, one after the other, of which some may fail: all stages are called, then all failures are reported.
 * Single use, not thread-safe.
 */
final class StageCalls
{
    private static final Logger LOG = LoggerFactory.getLogger(StageCalls.class);

    private final String done;
    private final List<Problem> problems = new ArrayList<>();

    /** A life-cycle action of a stage that may fail. */
    interface Action
    {
        void run() throws Exception;
    }

    /** @param done past participle of the action, for messages */
    StageCalls(final String done)
    {
        this.done = done;
    }

    /** Calls a stage; a failure is logged and remembered. */
    void attempt(final StageRuntime stage, final Action action)
    {
        try
        {
            action.run();
        }
        catch (final Exception | LinkageError | AssertionError e)
        {
            LOG.error("stage could not be {}, stage={}", done, stage.definition().id(), e);
            problems.add(new Problem(NetworkErrorCode.PAUSE, stage.definition().position(),
                "stage could not be " + done +
                ", stage=" + stage.definition().id() + " reason=" + e, "the other stages are " + done, ""));
        }
    }

    boolean hasFailed()
    {
        return !problems.isEmpty();
    }

    /** Throws an exception with all failures, if there are any. */
    void refuse() throws DeploymentException
    {
        if (hasFailed())
        {
            throw new DeploymentException(problems);
        }
    }
}
