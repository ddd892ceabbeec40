package @package@;

import dev.millrace.api.lifecycle.InitializingBean;
import dev.millrace.api.lifecycle.ResumableBean;
import dev.millrace.api.lifecycle.RunnableBean;
import dev.millrace.api.stage.StreamSender;
import dev.millrace.api.stage.StreamSource;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/** Reads a sensor at an interval and sends each reading, on its own thread. */
public final class SensorSource implements StreamSource, InitializingBean, RunnableBean, ResumableBean
{
    private final Semaphore end = new Semaphore(0);
    private DoubleSupplier sensor;
    private String name;
    private long intervalMillis = 1000;
    private StreamSender sender;

    /** Properties of the assembly file arrive through setters. */
    public void setSensor(final DoubleSupplier sensor)
    {
        this.sensor = sensor;
    }

    public void setName(final String name)
    {
        this.name = name;
    }

    public void setIntervalMillis(final long intervalMillis)
    {
        this.intervalMillis = intervalMillis;
    }

    @Override
    public void setEventSender(final StreamSender given)
    {
        sender = given;
    }

    /** An exception here fails the deployment with its message. */
    @Override
    public void afterPropertiesSet()
    {
        if (sensor == null || name == null || intervalMillis < 1)
        {
            throw new IllegalArgumentException("set sensor, name, and an interval of at least 1 ms");
        }
    }

    /** Runs until suspend(). An exception ends the source: the application fails until app resume runs it again. */
    @Override
    public void run()
    {
        try
        {
            while (!end.tryAcquire(intervalMillis, TimeUnit.MILLISECONDS))
            {
                sender.sendInsertEvent(Map.of("name", name, "celsius", sensor.getAsDouble()));
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void suspend()
    {
        end.release();
    }

    @Override
    public void beforeResume()
    {
        end.drainPermits();
    }
}
