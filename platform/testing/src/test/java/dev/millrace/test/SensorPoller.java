package dev.millrace.test;

import dev.millrace.api.lifecycle.InitializingBean;
import dev.millrace.api.lifecycle.ResumableBean;
import dev.millrace.api.lifecycle.RunnableBean;
import dev.millrace.api.stage.StreamSender;
import dev.millrace.api.stage.StreamSource;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/** The source of docs/writing-applications.md: reads a sensor at an interval. */
public final class SensorPoller implements StreamSource, InitializingBean, RunnableBean, ResumableBean
{
    private final Semaphore end = new Semaphore(0);
    private DoubleSupplier sensor;
    private long intervalMillis = 1000;
    private StreamSender sender;

    /** Properties of the assembly file arrive through setters. */
    public void setSensor(final DoubleSupplier sensor)
    {
        this.sensor = sensor;
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
        if (sensor == null || intervalMillis < 1)
        {
            throw new IllegalArgumentException("set sensor, and an interval of at least 1 ms");
        }
    }

    /** Runs on its own thread until suspend(). */
    @Override
    public void run()
    {
        try
        {
            while (!end.tryAcquire(intervalMillis, TimeUnit.MILLISECONDS))
            {
                sender.sendInsertEvent(Map.of("name", "kitchen", "celsius", sensor.getAsDouble()));
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
