package @package@;

import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.StatisticsSource;
import dev.millrace.api.stage.StreamSink;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes each alarm to the log and counts it. One thread at a time sends events. */
public final class AlarmSink implements StreamSink, StatisticsSource
{
    private static final Logger LOG = LoggerFactory.getLogger(AlarmSink.class);

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
        LOG.info("{} is too hot: {} degrees", alarm.get("name"), celsius);
        alarms.increment();
    }

    /** Part of millrace app statistics. A management thread calls it at any time. */
    @Override
    public Map<String, Object> statistics()
    {
        return Map.of("alarms", alarms.sum());
    }
}
