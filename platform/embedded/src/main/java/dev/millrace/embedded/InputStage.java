package dev.millrace.embedded;

import dev.millrace.api.event.EventType;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.stage.RelationSender;
import dev.millrace.api.stage.RelationSource;
import dev.millrace.api.stage.StreamSender;
import dev.millrace.api.stage.StreamSource;

/** The stage above a channel that {@link EmbeddedNetwork} sends objects to. Thread-safe. */
abstract class InputStage
{
    final EventType type;

    private InputStage(final EventType type)
    {
        this.type = type;
    }

    static InputStage of(final EventType type, final boolean isRelation)
    {
        return isRelation ? new Relation(type) : new Stream(type);
    }

    abstract StreamSender sender();

    /** An event of the values of its properties. */
    Object event(final Object... values)
    {
        if (type.kind() != EventType.Kind.TUPLE)
        {
            throw new IllegalArgumentException("only events of tuple types are sent by their values, type=" +
                type.name() + " kind=" + type.kind() + "; call send with a bean or map");
        }
        return new TupleEvent(type, values);
    }

    private static final class Stream extends InputStage implements StreamSource
    {
        private volatile StreamSender sender;

        private Stream(final EventType type)
        {
            super(type);
        }

        @Override
        public void setEventSender(final StreamSender given)
        {
            sender = given;
        }

        @Override
        StreamSender sender()
        {
            return sender;
        }
    }

    private static final class Relation extends InputStage implements RelationSource
    {
        private volatile RelationSender sender;

        private Relation(final EventType type)
        {
            super(type);
        }

        @Override
        public void setEventSender(final RelationSender given)
        {
            sender = given;
        }

        @Override
        RelationSender sender()
        {
            return sender;
        }
    }
}
