package dev.millrace.test;

import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.StreamSink;
import java.util.function.DoublePredicate;

/** A bean of the application of the tests that uses a service. */
public final class LimitCheck implements StreamSink
{
    private DoublePredicate limits;

    public void setLimits(final DoublePredicate limits)
    {
        this.limits = limits;
    }

    @Override
    public void onInsertEvent(final Object event) throws EventRejectedException
    {
        if (!limits.test((Double)((TupleEvent)event).get("price")))
        {
            throw new EventRejectedException("the price exceeds its limit, event=" + event);
        }
    }
}
