package dev.millrace.cql.processor.simulation;

import java.util.Random;

/**
 * The machine on which the simulated process runs: its clock, and the moment at which the process or the machine ends.
 * Each step of the process that others can observe is counted; a crash happens before or after one of them. Confined to
 * one thread.
 */
final class SimulatedHost
{
    private final Random random;
    private long nowNs = 1;
    /** Steps until the crash; negative if none is due. */
    private int remainingSteps = -1;
    private boolean isDown;
    /** Number of the process: parts of an earlier one can do nothing any more. */
    private int process;

    SimulatedHost(final Random random)
    {
        this.random = random;
    }

    Random random()
    {
        return random;
    }

    long nowNs()
    {
        return nowNs;
    }

    void advance(final long byNs)
    {
        nowNs += byNs;
    }

    int process()
    {
        return process;
    }

    /** Lets the process end after some more steps. */
    void crashAfter(final int steps)
    {
        remainingSteps = steps;
    }

    boolean isDown()
    {
        return isDown;
    }

    /** A step of a process; ends it if its time has come. */
    void step(final int ofProcess)
    {
        if (isDown || ofProcess != process)
        {
            throw new Crash();
        }
        if (remainingSteps >= 0 && remainingSteps-- == 0)
        {
            isDown = true;
            throw new Crash();
        }
    }

    /** Begins the next process. */
    void restart()
    {
        isDown = false;
        remainingSteps = -1;
        process++;
    }
}
