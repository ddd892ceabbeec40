package dev.millrace.cql.runtime.unit.aggregate;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.flow.AggregateFunction;
import dev.millrace.cql.runtime.flow.RowRejectedException;

/**
 * An aggregate that keeps values one by one: each is charged, and a further one is refused while memory is short.
 *
 * <p>Threads: one.
 */
abstract class KeptValues implements AggregateFunction
{
    /** Of a value: an entry, its count, the object and references. */
    private static final long VALUE_BYTES = 96;

    private MemoryAccount memory = MemoryAccount.NONE;
    private int size;

    /** Learns what is charged. */
    final void memory(final MemoryAccount of)
    {
        memory = of;
    }

    /** Refuses a further value while memory is short; before anything is changed. */
    final void need()
    {
        if (memory.isShort())
        {
            throw new RowRejectedException(MemoryAccount.MEMORY_FULL, memory.shortage());
        }
    }

    /** A value is kept. */
    final void kept()
    {
        memory.charge(VALUE_BYTES);
        size++;
    }

    /** Values are no longer kept. */
    final void gone(final int count)
    {
        memory.release(count * VALUE_BYTES);
        size -= count;
    }

    /** Nobody asks it any more: gives back what its values take. */
    final void giveBack()
    {
        gone(size);
    }
}
