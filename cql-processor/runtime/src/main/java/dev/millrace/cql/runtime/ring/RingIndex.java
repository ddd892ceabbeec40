package dev.millrace.cql.runtime.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A counter that one thread writes and another one reads, on its own cache line: the JVM lays out the fields of a
 * superclass before those of its subclasses, so that there is padding on both sides.
 */
final class RingIndex extends RingIndexTail
{
    private static final VarHandle VALUE;

    static
    {
        try
        {
            VALUE = MethodHandles.lookup().findVarHandle(RingIndexValue.class, "value", long.class);
        }
        catch (final ReflectiveOperationException impossible)
        {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** Plain read, by the thread that writes. */
    long own()
    {
        return value;
    }

    /** Read by the other thread. */
    long acquire()
    {
        return (long)VALUE.getAcquire(this);
    }

    /** Publishes everything written before. */
    void release(final long next)
    {
        VALUE.setRelease(this, next);
    }
}

/** Padding before the value. */
abstract class RingIndexHead
{
    long p01;
    long p02;
    long p03;
    long p04;
    long p05;
    long p06;
    long p07;
    long p08;
    long p09;
    long p10;
    long p11;
    long p12;
    long p13;
    long p14;
    long p15;
}

/** The value itself. */
abstract class RingIndexValue extends RingIndexHead
{
    long value;
}

/** Padding after the value. */
abstract class RingIndexTail extends RingIndexValue
{
    long q01;
    long q02;
    long q03;
    long q04;
    long q05;
    long q06;
    long q07;
    long q08;
    long q09;
    long q10;
    long q11;
    long q12;
    long q13;
    long q14;
    long q15;
}
