package dev.millrace.api.stage;

import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.time.Clock;

/** What the platform tells a stage about the place it runs in. Safe for all threads. */
public interface StageContext
{
    /**
     * The name of the application.
     *
     * @return symbolic name of its bundle
     */
    String applicationName();

    /**
     * The id of the stage.
     *
     * @return id from the assembly file
     */
    String stageId();

    /**
     * The event types of the application.
     *
     * @return repository
     */
    EventTypeRepository eventTypes();

    /**
     * The clock of the network.
     *
     * @return clock; use no other for event time
     */
    Clock clock();

    /**
     * Where the stage reports that it cannot do its work at present.
     *
     * @return conditions of this stage; one that discards everything when no network runs the stage
     */
    default StageConditions conditions()
    {
        return StageConditions.NONE;
    }

    /**
     * Opens an account for something of the stage that grows with input.
     *
     * @param part what it is, for figures and messages
     * @return empty; closed with the application if the stage does not; without a limit when no network runs the stage
     */
    default MemoryAccount memory(final String part)
    {
        return MemoryAccount.NONE;
    }
}
