package dev.millrace.network.definition;

import java.util.List;

/** A stage of a network. Immutable. */
public sealed interface StageDefinition permits BeanStage, ChannelStage, ProcessorStage
{
    /**
     * Returns the id, unique in the network.
     *
     * @return id from the assembly file
     */
    String id();

    /**
     * Returns the ids of the stages that receive this stage's events; wiring by {@code source} has been converted to
     * listeners.
     *
     * @return immutable list
     */
    List<String> listeners();

    /**
     * Returns the position of the stage's element.
     *
     * @return position for messages
     */
    SourcePosition position();
}
