package dev.millrace.network.definition;

import java.util.List;

/** A stage of a network. Immutable. */
public sealed interface StageDefinition permits BeanStage, ChannelStage, ProcessorStage
{
    /**
     * The id, unique in the network.
     *
     * @return id from the assembly file
     */
    String id();

    /**
     * Ids of the stages that take this one's events; wiring by {@code source} has been turned round into this.
     *
     * @return immutable list
     */
    List<String> listeners();

    /**
     * Where the stage was written.
     *
     * @return position for messages
     */
    SourcePosition position();
}
