package dev.millrace.api.stage;

import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.time.Clock;

/** The environment of a stage. Thread-safe. */
public interface StageContext
{
    /**
     * Returns the name of the application.
     *
     * @return symbolic name of its bundle
     */
    String applicationName();

    /**
     * Returns the id of the stage.
     *
     * @return id from the assembly file
     */
    String stageId();

    /**
     * Returns the event types of the application.
     *
     * @return repository
     */
    EventTypeRepository eventTypes();

    /**
     * Returns the clock of the network.
     *
     * @return clock; use no other for event time
     */
    Clock clock();

    /**
     * Returns the object through which the stage reports that it cannot do its work at present.
     *
     * @return conditions of this stage; discards everything when no network runs the stage
     */
    default StageConditions conditions()
    {
        return StageConditions.NONE;
    }

    /**
     * Opens a memory account for state of the stage that grows with input.
     *
     * @param part kind of the state, for statistics and messages
     * @return empty; closed with the application if the stage does not close it; without a limit when no network runs
     *     the stage
     */
    default MemoryAccount memory(final String part)
    {
        return MemoryAccount.NONE;
    }

    /**
     * Returns the conversion between rows and the objects of user code.
     *
     * @param schema of the batches
     * @return conversion for batches of this schema only
     * @throws UnsupportedOperationException if no network runs the stage
     */
    default EventObjects objects(final BatchSchema schema)
    {
        throw new UnsupportedOperationException("no network runs the stage, type=" + schema.type().name());
    }
}
