package dev.millrace.cql.processor.unit;

import dev.millrace.cql.processor.worker.Worker;
import dev.millrace.cql.runtime.state.StateInput;

/** The state with which pipelines and flows start. */
public interface StoredState
{
    /** Everything starts empty. */
    StoredState NONE = (worker, channel, name) -> null;

    /**
     * The state of a pipeline or flow on a worker.
     *
     * @param worker  worker; {@code null} for the thread of the source
     * @param channel a channel that it reads
     * @param name    {@link ExecutionUnit#stateName()}
     * @return {@code null} if it starts empty
     */
    StateInput of(Worker worker, String channel, String name);
}
