package dev.millrace.test;

import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.StatisticsSource;
import dev.millrace.api.stage.StreamSink;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** The sink of docs/writing-applications.md. */
public final class AlarmSink implements StreamSink, StatisticsSource
{
    private final LongAdder alarms = new LongAdder();

    @Override
    public void onInsertEvent(final Object event) throws EventRejectedException
    {
        final TupleEvent alarm = (TupleEvent)event;
        final Double celsius = (Double)alarm.get("celsius");
        if (celsius == null)
        {
            // Counted and logged; the application continues.
            throw new EventRejectedException("an alarm without a temperature, name=" + alarm.get("name"));
        }
        alarms.increment();
    }

    /** Part of millrace app statistics. */
    @Override
    public Map<String, Object> statistics()
    {
        return Map.of("alarms", alarms.sum());
    }
}
